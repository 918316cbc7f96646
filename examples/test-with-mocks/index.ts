import { organization } from "./organization";

const { cluster } = organization("staging");
organization("production");

export const clusterId = cluster.id;
