import type { Act, Meeting } from "./acts.js";
import type { Trouble } from "./faults.js";
import { type Chapter, type History, usual } from "./history.js";
import type { Declared } from "./program.js";

/** Histories as a person writes them: only what matters is said. */

const declared = (name: string, kind: string, args: Declared["args"]): Declared => ({ name, kind, args });

export const cluster = declared("cluster-1", "Cluster", { name: "alpha-unit" });
export const otherCluster = declared("cluster-2", "Cluster", { name: "beta-unit" });
const inCluster = { clusterId: { idOf: "cluster-1" } };
export const inOther = { clusterId: { idOf: "cluster-2" } };
const ofPipeline = { pipelineId: { idOf: "pipeline-1" } };
const full = "manage_build_and_read";
export const queue = declared("queue-1", "Queue", { ...inCluster, key: "queue-1-key" });
export const token = declared("token-1", "AgentToken", { ...inCluster, description: "alpha-unit" });
const ofQueue = { queueId: { idOf: "queue-1" } };
export const defaultQueue = declared("default-1", "ClusterDefaultQueue", { ...inCluster, ...ofQueue });
export const secretTeam = declared("team-2", "Team", { name: "team-2-alpha", privacy: "secret" });
const steps = { name: "alpha-unit", configuration: "steps: []\n" };
export const hiddenTemplate = declared("template-2", "PipelineTemplate", { ...steps, available: false });
export const template = declared("template-1", "PipelineTemplate", { ...steps, available: true });
export const team = declared("team-1", "Team", { name: "team-1-alpha" });
export const suite = declared("suite-1", "Suite", { name: "alpha-unit", defaultBranch: "main" });
export const pipeline = declared("pipeline-1", "Pipeline", {
  ...{ name: "pipeline-1-alpha", repository: "git@github.com:acme/a.git", clusterId: "", onDelete: "delete" },
});
const daily = { cronline: "@daily", label: "schedule-1-label" };
export const schedule = declared("schedule-1", "PipelineSchedule", { ...ofPipeline, ...daily });
const ofTeam = { teamId: { idOf: "team-1" } };
export const access = declared("access-1", "TeamPipeline", { ...ofTeam, ...ofPipeline, accessLevel: full });
const webhook = { provider: "webhook", settings: { url: "https://ci.example.com/a" }, scope: "all" };
export const service = declared("service-1", "NotificationService", {
  ...webhook,
  description: "alpha-unit",
});
const trunk = { defaultBranch: "trunk", hostedAgentsTerminalAccess: false };
export const pipelineSettings = declared("settings-1", "PipelineSettings", trunk);
export const apiSettings = declared("access-2", "ApiSettings", { restrictUserApiTokenCreation: true });

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
  dates: undefined,
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
