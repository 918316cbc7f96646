import { ProductTeam } from "../components/product-team";
import { sharedCluster } from "../components/shared-cluster";

const clusterId = sharedCluster("mac");
const team = new ProductTeam("mobile", { name: "Mobile", clusterId, queues: ["build", "release"] });
export const agentToken = team.agentToken;
