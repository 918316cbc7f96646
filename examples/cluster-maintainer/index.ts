import { Cluster, ClusterMaintainer, Team } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const platform = new Team("platform", { name: "Platform" });

const maintainer = new ClusterMaintainer("platform", { clusterId: linux, teamId: platform });

export const assignmentId = maintainer.id;
