import type { Act, Meeting } from "./acts.js";
import type { Trouble } from "./faults.js";
import { type Chapter, type History, usual } from "./history.js";
import type { Declared } from "./program.js";

/** Histories as a person writes them: only what matters is said. */

export const cluster: Declared = { name: "cluster-1", kind: "Cluster", args: { name: "alpha-unit" } };
export const otherCluster: Declared = { name: "cluster-2", kind: "Cluster", args: { name: "beta-unit" } };
const inCluster = { clusterId: { idOf: "cluster-1" } };
export const inOther = { clusterId: { idOf: "cluster-2" } };
export const queue: Declared = { name: "queue-1", kind: "Queue", args: { ...inCluster, key: "queue-1-key" } };
export const token: Declared = {
  name: "token-1",
  kind: "AgentToken",
  args: { ...inCluster, description: "alpha-unit" },
};
export const defaultQueue: Declared = {
  name: "default-1",
  kind: "ClusterDefaultQueue",
  args: { ...inCluster, queueId: { idOf: "queue-1" } },
};
export const secretTeam: Declared = {
  name: "team-2",
  kind: "Team",
  args: { name: "team-2-alpha", privacy: "secret" },
};
export const hiddenTemplate: Declared = {
  name: "template-2",
  kind: "PipelineTemplate",
  args: { name: "alpha-unit", configuration: "steps: []\n", available: false },
};
export const template: Declared = {
  ...hiddenTemplate,
  name: "template-1",
  args: { ...hiddenTemplate.args, available: true },
};
export const team: Declared = { name: "team-1", kind: "Team", args: { name: "team-1-alpha" } };
export const suite: Declared = {
  name: "suite-1",
  kind: "Suite",
  args: { name: "alpha-unit", defaultBranch: "main" },
};
export const pipeline: Declared = {
  name: "pipeline-1",
  kind: "Pipeline",
  args: {
    name: "pipeline-1-alpha",
    repository: "git@github.com:acme/a.git",
    clusterId: "",
    onDelete: "delete",
  },
};
export const schedule: Declared = {
  name: "schedule-1",
  kind: "PipelineSchedule",
  args: { pipelineId: { idOf: "pipeline-1" }, cronline: "@daily", label: "schedule-1-label" },
};

export const access: Declared = {
  name: "access-1",
  kind: "TeamPipeline",
  args: {
    teamId: { idOf: "team-1" },
    pipelineId: { idOf: "pipeline-1" },
    accessLevel: "manage_build_and_read",
  },
};

export const service: Declared = {
  name: "service-1",
  kind: "NotificationService",
  args: {
    provider: "webhook",
    scope: "all",
    settings: { url: "https://ci.example.com/a" },
    description: "alpha-unit",
  },
};

export const pipelineSettings: Declared = {
  name: "settings-1",
  kind: "PipelineSettings",
  args: { defaultBranch: "trunk", hostedAgentsTerminalAccess: false },
};

export const apiSettings: Declared = {
  name: "access-2",
  kind: "ApiSettings",
  args: { restrictUserApiTokenCreation: true },
};

export const changed = (declared: Declared, args: Declared["args"]): Declared => ({
  ...declared,
  args: { ...declared.args, ...args },
});

export const chapter = (program: readonly Declared[], more: Partial<Chapter> = {}): Chapter => ({
  between: [],
  meanwhile: [],
  program,
  renamed: [],
  bridge: "nothing",
  imports: [],
  command: { what: "up" },
  settings: usual,
  troubles: [],
  ...more,
});

export const history = (chapters: readonly Chapter[], more: Partial<History> = {}): History => ({
  backend: "dynamic",
  order: 0,
  page: 100,
  suiteSlug: "kept",
  teamResponse: "full",
  dates: "right",
  gateway: false,
  chapters,
  ...more,
});

export const act = (what: Act["what"], kind: string, pick = 0, who: Act["who"] = "colleague"): Act => ({
  who,
  what,
  kind,
  pick,
});

export const before = (operation: string, does: Act, skip = 0, seconds = 0): Meeting => ({
  act: does,
  before: operation,
  skip,
  seconds,
});

export const trouble = (operation: string, mishap: string): Trouble => ({ operation, mishap });
