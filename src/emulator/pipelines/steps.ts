import { stringify } from "yaml";
import { yamlDocument, yamlValue } from "../model/normalize.js";

/** A step that each new build of a pipeline runs. */
export interface PipelineStep {
  readonly key: string;
  readonly name: string;
  readonly command: string;
  /** Tags that an agent must have: `["queue=small", "os=linux"]`. Without a `queue` the cluster's default queue counts. */
  readonly agents?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the steps of a configuration as the API shows them. */
export function shownSteps(configuration: string): readonly Fields[] {
  return stepsIn(configuration).map((step) => {
    const { label, name = label ?? null } = step;
    const type = typeOf(step);
    if (type === "waiter") return { type };
    if (type === "manual") return { type, label: step.block ?? step.input ?? label ?? null };
    if (type === "trigger") return { type, trigger_project_slug: step.trigger, label: label ?? null };
    return {
      type,
      name,
      command: commandOf(step),
      artifact_paths: step.artifact_paths ?? null,
      branch_configuration: step.branches ?? null,
      env: isFields(step.env) ? step.env : {},
      timeout_in_minutes: step.timeout_in_minutes ?? null,
      agent_query_rules: rulesOf(step.agents),
      concurrency: step.concurrency ?? null,
      parallelism: step.parallelism ?? null,
    };
  });
}

/** Returns the steps of a configuration that agents run. */
export function jobSteps(configuration: string): readonly PipelineStep[] {
  const commands = stepsIn(configuration).filter((step) => typeOf(step) === "script");
  return commands.map((step, index) => {
    const command = commandOf(step);
    const key = String(step.key ?? step.identifier ?? `step-${index + 1}`);
    return { key, name: String(step.label ?? step.name ?? command), command, agents: rulesOf(step.agents) };
  });
}

export function configurationOf(steps: readonly PipelineStep[]): string {
  return stringify({
    steps: steps.map(({ key, name, command, agents = [] }) => {
      return { key, label: name, command, ...(agents.length > 0 && { agents }) };
    }),
  });
}

function stepsIn(configuration: string): readonly Fields[] {
  const parsed = yamlValue(yamlDocument(configuration, { merge: true }));
  const steps = isFields(parsed) ? parsed.steps : parsed;
  const flat = (entries: unknown): Fields[] =>
    [entries].flat().flatMap((entry) => {
      if (typeof entry === "string") return [{ [entry]: null }];
      if (!isFields(entry)) return [];
      return "group" in entry ? flat(entry.steps) : [entry];
    });
  return flat(steps ?? []);
}

function typeOf(step: Fields): "script" | "waiter" | "manual" | "trigger" {
  if ("wait" in step || "waiter" in step) return "waiter";
  if ("block" in step || "input" in step || "manual" in step) return "manual";
  return "trigger" in step ? "trigger" : "script";
}

function commandOf({ command, commands = command, script = commands }: Fields): string {
  return [script ?? ""].flat().map(String).join("\n");
}

function rulesOf(agents: unknown): readonly string[] {
  if (isFields(agents)) return Object.entries(agents).map(([name, value]) => `${name}=${String(value)}`);
  return [agents ?? []].flat().map(String);
}
