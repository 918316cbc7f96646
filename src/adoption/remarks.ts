import { declarable } from "../inventory/kinds.js";
import type { LiveObject } from "../inventory/listing.js";
import { counted } from "../messages/nouns.js";
import { kinds } from "../provider/values/kinds.js";
import type { AnyKind } from "../resources/kind.js";
import { type ExistingProject, settingsOf } from "./existing-project.js";
import { PLUGIN } from "./project-files.js";

/** Returns what an import file cannot have of adopted objects, and what to do about it, a paragraph each. */
export function remarksOn(objects: readonly LiveObject[]): string[] {
  return [...kinds.values()].flatMap((kind) => {
    const own = objects.filter((object) => object.kind === kind);
    const count = (some: readonly LiveObject[]) => counted(some.length, kind.words.noun);
    const remarks = (kind.importing?.remarks ?? []).flatMap(({ when, words }) => {
      const some = own.filter(({ observed }) => when?.(observed) !== false);
      return some.length === 0 ? [] : [words.replace("{objects}", count(some))];
    });
    return [
      ...remarks,
      ...unlistedRemark(kind, own),
      ...unknownRemark(own, count),
      ...undeclaredRemark(own, count),
    ];
  });
}

/** Arguments that a list leaves out, and that no update needs. */
function unlistedRemark(kind: AnyKind, own: readonly LiveObject[]): string[] {
  if (kind.updatesSendAll) return [];
  const missing = Object.entries(kind.arguments)
    .filter(
      ([name, { returnedSometimes }]) => returnedSometimes && own.some(({ observed }) => !(name in observed)),
    )
    .map(([name]) => `\`${name}\``);
  if (missing.length === 0) return [];
  return [
    `The list of ${kind.words.noun}s has no ${listed(missing, "or")}, so they are omitted. Their values don't change.`,
  ];
}

/** Arguments that the API doesn't return, and that every update sends. */
function unknownRemark(own: readonly LiveObject[], count: (some: readonly LiveObject[]) => string): string[] {
  const described = own.map((object) => ({ object, ...declarable(object) }));
  const some = described.filter(({ unknownAtImport }) => unknownAtImport.length > 0);
  const names = [...new Set(some.flatMap(({ unknownAtImport }) => unknownAtImport))];
  const [first] = some;
  if (first === undefined) return [];
  const { kind } = first.object;
  const quoted = (texts: readonly unknown[]) =>
    listed(
      texts.map((text) => `\`${text}\``),
      "and",
    );
  return [
    `Of ${count(some.map(({ object }) => object))} the API doesn't return ${quoted(names)}, and every update sends them. ` +
      `They are written as ${quoted(names.map((name) => kind.arguments[name]?.default))}: compare them with the web ` +
      `interface before you change a ${kind.words.noun}.`,
  ];
}

/** Arguments with a value that the API returns and that no program can set. */
function undeclaredRemark(
  own: readonly LiveObject[],
  count: (some: readonly LiveObject[]) => string,
): string[] {
  const some = own.filter((object) => declarable(object).undeclared.length > 0);
  const names = [...new Set(some.flatMap((object) => declarable(object).undeclared))].map(
    (name) => `\`${name}\``,
  );
  const [first] = names;
  if (first === undefined) return [];
  return [
    `Of ${count(some)}, ${listed(names, "and")} can't be declared as it is. The program omits it and ignores its changes, ` +
      "so it stays as it is. To manage it, set it and remove `ignoreChanges`.",
  ];
}

function listed(words: readonly string[], conjunction: "and" | "or"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

/** Lists the settings that an existing project needs to find the plugin. */
export function remarksOnPlugin(project: ExistingProject): string[] {
  if (settingsOf(project).plugins !== undefined) return [];
  return [
    `Pulumi.yaml does not say where the plugin is. Add \`plugins: { providers: [{ name: ${PLUGIN.name}, path: ${PLUGIN.path} }] }\`.`,
  ];
}

/** Returns the comment for arguments that the API does not return. */
export function unknownComment(names: readonly string[]): string {
  return (
    `The API doesn't return ${names.join(" and ")}, and every update sends them. ` +
    "Compare them with the web interface."
  );
}
