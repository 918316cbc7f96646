/**
 * The kinds of resources: one line each. The lifecycle, the tests and the documentation take the kinds from
 * here; nothing else names them.
 */
export * from "./agent-token.js";
export * from "./cluster.js";
export * from "./cluster-default-queue.js";
export * from "./pipeline-template.js";
export * from "./queue.js";
export * from "./suite.js";
export * from "./team.js";
