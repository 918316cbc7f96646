import type { AnyKind } from "../../provider/kind/kind.js";
import { kinds } from "../../provider/lifecycle/values/kinds.js";
import { counted } from "../../shared/messages/nouns.js";
import { declarable } from "../shared/inventory/declarable.js";
import type { LiveObject } from "../shared/inventory/live-object.js";
import type { ExistingProject } from "./existing-project.js";
import { pluginIn } from "./languages/project-files.js";

/** Returns what an import file cannot have of adopted objects, and what to do about it, a paragraph each. */
export function remarksOn(objects: readonly LiveObject[]): string[] {
  return [...kinds.values()].flatMap((kind) => {
    const own = objects.filter((object) => object.kind === kind);
    const remarks = (kind.importing?.remarks ?? []).flatMap(({ when, words }) => {
      const some = own.filter(({ observed }) => when?.(observed) !== false);
      return some.length === 0 ? [] : [words.replace("{objects}", counted(some.length, kind.words.noun))];
    });
    return [
      ...remarks,
      ...hiddenRemark(kind, own),
      ...unlistedRemark(kind, own),
      ...undeclaredRemarks(kind, own),
    ];
  });
}

/** Objects that not everybody may see, and that everybody sees who may read the program. */
function hiddenRemark({ hidden, words: { noun }, name }: AnyKind, own: readonly LiveObject[]): string[] {
  const some = own.filter(({ observed }) => hidden?.when(observed) === true);
  if (hidden === undefined || some.length === 0) return [];
  return [
    `The program names ${counted(some.length, noun)} that not everybody may see: ${hidden.words}. Whoever can read the ` +
      `repository reads these names. To leave one out, use --except "${name}:<name>".`,
  ];
}

/** Arguments that a list leaves out, and that no update needs. */
function unlistedRemark(kind: AnyKind, own: readonly LiveObject[]): string[] {
  if (kind.updatesSendAll) return [];
  const missing = Object.entries(kind.arguments)
    .filter(
      ([name, { returnedSometimes }]) => returnedSometimes && own.some(({ observed }) => !(name in observed)),
    )
    .map(([name]) => name);
  if (missing.length === 0) return [];
  return [
    `The list of ${kind.words.noun}s has no ${listed(missing, "or")}, so they are omitted. Their values don't change.`,
  ];
}

/**
 * Arguments that the API doesn't return and that every update sends, and arguments with a value that the API returns and
 * that no program can set.
 */
function undeclaredRemarks(kind: AnyKind, own: readonly LiveObject[]): string[] {
  const described = own.map(declarable);
  /** Returns of how many objects there are arguments of a sort, and the arguments. */
  const having = (sort: "unconfirmed" | "undeclared") => {
    const some = described.map((one) => one[sort]).filter((names) => names.length > 0);
    return { objects: counted(some.length, kind.words.noun), names: [...new Set(some.flat())] };
  };
  const unconfirmed = having("unconfirmed");
  const undeclared = having("undeclared");
  const remarks: string[] = [];
  if (unconfirmed.names.length > 0) {
    remarks.push(
      `Of ${unconfirmed.objects} the API doesn't return ${listed(unconfirmed.names, "and")}, so they are omitted. Every ` +
        `update sends them, so add them, as the web interface shows them, before you change a ${kind.words.noun}.`,
    );
  }
  if (undeclared.names.length > 0) {
    remarks.push(
      `Of ${undeclared.objects}, ${listed(undeclared.names, "and")} can't be declared as it is. The program omits it and ` +
        "ignores its changes, so it stays as it is. To manage it, set it and remove `ignoreChanges`.",
    );
  }
  return remarks;
}

function listed(values: readonly unknown[], conjunction: "and" | "or"): string {
  const words = values.map((value) => `\`${value}\``);
  const last = words.pop() ?? "";
  return words.length === 0 ? last : `${words.join(", ")} ${conjunction} ${last}`;
}

/** Lists the settings that an existing project needs to find the plugin. */
export function remarksOnPlugin(project: ExistingProject): string[] {
  if (project.settings?.plugins !== undefined) return [];
  const { name, path } = pluginIn("node_modules");
  return [
    `Pulumi.yaml does not say where the plugin is. Add \`plugins: { providers: [{ name: ${name}, path: ${path} }] }\`.`,
  ];
}

/** Returns the comment for arguments that the API does not return, and that every update sends. */
export function unconfirmedComment(names: readonly string[]): string {
  return (
    `The API doesn't return ${names.join(" and ")}. ` +
    "Every update sends them: add them before, as the web interface shows them."
  );
}
