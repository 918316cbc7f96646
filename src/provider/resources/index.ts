/**
 * The kinds of resources: one line each, which exports the class and its arguments. The lifecycle, the tests and the
 * documentation take the kinds from here; nothing else names them.
 */
export * from "./agent-token.js";
export * from "./api-settings.js";
export * from "./cluster.js";
export * from "./cluster-default-queue.js";
export * from "./cluster-maintainer.js";
export * from "./cluster-secret.js";
export * from "./notification-service.js";
export * from "./organization-rule.js";
export * from "./pipeline.js";
export * from "./pipeline-schedule.js";
export * from "./pipeline-settings.js";
export * from "./pipeline-template.js";
export * from "./queue.js";
export * from "./suite.js";
export * from "./team.js";
export * from "./team-member.js";
export * from "./team-pipeline.js";
export * from "./team-suite.js";
