import { organization } from "./organization";

export const { clusterId, agentToken } = organization();
