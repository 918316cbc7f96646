import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { writeCommand } from "../commands-on-path.js";
import { checkout, copy, type Ends, evaluate, type Happening, type Machine, shell } from "./run.js";

interface Step {
  readonly label?: string;
  readonly block?: string;
  readonly if: string;
  readonly matrix?: readonly unknown[];
  readonly env?: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly artifact_paths?: readonly string[];
  readonly depends_on?: string;
  readonly allow_dependency_failure?: boolean;
}

/** The agent replaces variables in all texts of a pipeline when it uploads it. */
function uploaded(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string")
    return value.replace(/\$\$|\\\$|\$(\w+)|\$\{(\w+)(?::?-([^}]*))?\}/g, (all, name, braced, fallback) =>
      all === "$$" || all === "\\$" ? "$" : (env[name ?? braced] ?? fallback ?? ""),
    );
  if (Array.isArray(value)) return value.map((one) => uploaded(one, env));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, uploaded(one, env)]));
}

/** Runs a pipeline of Buildkite as it is written, its steps one after another. Somebody unblocks it. */
export async function runBuildkite(text: string, { branch }: Happening, machine: Machine): Promise<Ends> {
  const artifacts = join(machine.folder, "artifacts");
  mkdirSync(artifacts, { recursive: true });
  writeCommand(
    join(machine.folder, "bin"),
    "buildkite-agent",
    `case "$1 $2" in
  "artifact download") [ "$3 $4" = "review/**/* ." ] && cp -R '${artifacts}/.' . ;;
  annotate*) cat > '${join(machine.folder, "annotation.md")}' ;;
  *) exit 9 ;;
esac`,
  );
  const pull_request = branch === "change" ? { id: 12, repository: { fork: false } } : { id: null };
  const build = { branch, source: "webhook", pull_request, env: () => null };
  const { steps } = uploaded(parse(text), {}) as { steps: Step[] };
  const ends: Record<string, "success" | "failure"> = {};
  for (const step of steps) {
    if (step.block !== undefined || !evaluate(step.if, /(?!)/g, String, { build })) continue;
    for (const value of step.matrix ?? [""]) {
      // Buildkite puts the value of the matrix into the texts of the step.
      const filled = (one: string) => one.replaceAll("{{matrix}}", () => String(value));
      const key = filled(step.label ?? "").replace(/^:\w+: /, "");
      const own = Object.fromEntries(
        Object.entries(step.env ?? {}).map(([name, one]) => [name, filled(one)]),
      );
      const place = checkout(machine, key, branch);
      const env = {
        ...machine.env,
        BUILDKITE: "true",
        BUILDKITE_PULL_REQUEST: branch === "change" ? "12" : "false",
        ...own,
      };
      const isDone = await shell(step.command.map(filled), place, env);
      ends[key] = isDone ? "success" : "failure";
      copy(step.artifact_paths ?? [], place, artifacts);
    }
  }
  return ends;
}
