import { ProductTeam } from "../components/product-team";
import { sharedCluster } from "../components/shared-cluster";

const clusterId = sharedCluster("linux");
const team = new ProductTeam("web", { name: "Web", clusterId, queues: ["build"] });
export const agentToken = team.agentToken;
