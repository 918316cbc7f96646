import type { LiveObject } from "../../cli/inventory/live-object.js";
import { declarable } from "../../provider/lifecycle/operations/objects.js";
import { type AnyKind, kinds } from "../../provider/lifecycle/values/kinds.js";
import { counted } from "../../shared/messages/nouns.js";
import type { ExistingProject } from "./existing-project.js";
import { pluginIn } from "./languages/project-files.js";

/** Returns what an import file cannot have of adopted objects, and what to do about it, a paragraph each. */
export function remarksOn(objects: readonly LiveObject[]): string[] {
  return [...kinds.values()].flatMap((kind) =>
    remarksOnKind(
      kind,
      objects.filter((object) => object.kind === kind),
    ),
  );
}

function remarksOnKind(kind: AnyKind, own: readonly LiveObject[]): string[] {
  const { words, hidden, importing } = kind;
  const { noun } = words;
  const secret = own.filter(({ observed }) => hidden?.when(observed) === true);
  const unlisted = Object.entries(kind.arguments)
    .filter(([, { mayBeLeftOut, inEveryUpdate }]) => mayBeLeftOut && !inEveryUpdate)
    .flatMap(([name]) => (own.some(({ observed }) => !(name in observed)) ? [name] : []));
  const lacking = own.map((object) => declarable(object).unconfirmed).filter((names) => names.length > 0);
  const unconfirmed = [...new Set(lacking.flat())];
  const remarks = [
    ...(importing?.remarks ?? []).map(({ when, words }) => {
      const some = own.filter(({ observed }) => when?.(observed) !== false);
      return some.length > 0 && words.replace("{objects}", counted(some.length, noun));
    }),
    secret.length > 0 &&
      `The program names ${counted(secret.length, noun)} that not everybody may see: ${hidden?.words}. Whoever can read ` +
        `the repository reads these names. To leave one out, use --except "${kind.name}:<name>".`,
    unlisted.length > 0 &&
      `The list of ${noun}s has no ${enumerated(unlisted, "or")}, so they are omitted. Their values don't change.`,
    unconfirmed.length > 0 &&
      `Of ${counted(lacking.length, noun)} the API doesn't return ${enumerated(unconfirmed, "and")}, so they are omitted. Every ` +
        `update sends them, so add them, as the web interface shows them, before you change a ${noun}.`,
  ];
  return remarks.filter((remark) => remark !== false);
}

function enumerated(values: readonly unknown[], conjunction: "and" | "or"): string {
  const words = values.map((value) => `\`${value}\``);
  const last = words.pop() ?? "";
  return words.length === 0 ? last : `${words.join(", ")} ${conjunction} ${last}`;
}

export function remarksOnPlugin(project: ExistingProject): string[] {
  if (project.settings?.plugins !== undefined) return [];
  const { name, path } = pluginIn("node_modules");
  return [
    `Pulumi.yaml does not say where the plugin is. Add \`plugins: { providers: [{ name: ${name}, path: ${path} }] }\`.`,
  ];
}

export function unconfirmedComment(names: readonly string[]): string {
  return (
    `The API doesn't return ${names.join(" and ")}. ` +
    "Every update sends them: add them before, as the web interface shows them."
  );
}
