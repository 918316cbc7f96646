/** The networks of the build machines. Agent tokens are useless elsewhere. */
export const NETWORKS = ["10.20.0.0/16"];
