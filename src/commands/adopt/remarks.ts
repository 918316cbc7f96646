import type { LiveObject } from "../../cli/inventory/live-object.js";
import type { AnyKind } from "../../provider/for-commands/kinds.js";
import { declarable, differencesFrom } from "../../provider/for-commands/objects.js";
import { counted } from "../../shared/messages/nouns.js";
import { withoutCredentials } from "../../shared/messages/secrets.js";
import type { Credential } from "./credentials.js";
import type { ExistingProject, StackResource } from "./existing-project.js";
import { pluginIn } from "./languages/project-files.js";

/** Returns what a person should look at before the program is committed, the gravest first, a paragraph each. */
export function remarksOn(objects: readonly LiveObject[]): string[] {
  const groups = [...Map.groupBy(objects, ({ kind }) => kind)];
  return [namesOfHidden, unconfirmedValues, others].flatMap((remarks) =>
    groups.flatMap(([kind, own]) => remarks(kind, own)),
  );
}

/** Returns how objects differ from what a stack's program declares of them, as its state has it: a paragraph, or none. */
export async function remarksOnDifferences(
  inStack: readonly StackResource[],
  objects: readonly LiveObject[],
  gone: ReadonlySet<string>,
): Promise<string[]> {
  const live = new Map(objects.map((object) => [object.key, object]));
  const lines: string[] = [];
  for (const { kind, key, name, urn, inputs, pendingDeletion } of inStack) {
    const object = live.get(key);
    const found = object && !pendingDeletion ? await differencesFrom(inputs, object) : [];
    if (gone.has(urn)) found.push("is gone");
    lines.push(...found.map((text) => `  ${kind} ${JSON.stringify(name)}: ${text}`));
  }
  if (lines.length === 0) return [];
  return [
    `What exists differs from what the program declared at its last deployment:\n${lines.join("\n")}\n` +
      "`pulumi up --refresh` changes it back. To keep it, change the program.",
  ];
}

interface Written {
  readonly object: LiveObject;
  readonly file: string;
  readonly credentials: readonly Credential[];
}

/** @param isHidden true if the program takes them from its configuration */
export function remarksOnCredentials(adopted: readonly Written[], isHidden: boolean): string[] {
  const isAddress = ({ words }: Credential) => words.startsWith("an address");
  const places = adopted
    .flatMap(({ object, file, credentials }) =>
      credentials.map((credential) => ({ object, file, credential })),
    )
    .toSorted((one, other) => Number(isAddress(other.credential)) - Number(isAddress(one.credential)))
    .map(
      ({ object: { kind, label }, file, credential }) =>
        `${kind.words.noun} ${JSON.stringify(withoutCredentials(label))} (${file}): ${credential.words}`,
    );
  if (places.length === 0) return [];
  const outcome = isHidden
    ? "The program takes these values from the stack's configuration, because they look like credentials"
    : "The program has credentials as plain text, which whoever can read the repository reads";
  const advice = isHidden
    ? ""
    : " Replace them, or run adopt again with --secrets-to-config, before you commit the program.";
  return [`${outcome}: ${places.join("; ")}.${advice}`];
}

function namesOfHidden({ name, words: { noun }, hidden }: AnyKind, own: readonly LiveObject[]): string[] {
  const some = own.filter(({ observed }) => hidden?.when(observed));
  if (some.length === 0) return [];
  return [
    `The program names ${counted(some.length, noun)} that not everybody may see: ${hidden?.words}. Whoever can read ` +
      `the repository reads these names. To leave one out, use --except "${name}:<name>".`,
  ];
}

function unconfirmedValues({ words: { noun } }: AnyKind, own: readonly LiveObject[]): string[] {
  const lacking = own.map((object) => declarable(object).unconfirmed).filter((names) => names.length > 0);
  if (lacking.length === 0) return [];
  const names = enumerated([...new Set(lacking.flat())]);
  return [
    `Of ${counted(lacking.length, noun)} the API doesn't return ${names}, so they are omitted. Every ` +
      `update sends them, so add them, as the web interface shows them, before you change a ${noun}.`,
  ];
}

function others({ words: { noun }, importing }: AnyKind, own: readonly LiveObject[]): string[] {
  return (importing?.remarks ?? []).flatMap(({ when, words }) => {
    const some = own.filter(({ observed }) => when?.(observed) !== false);
    return some.length > 0 ? [words.replace("{objects}", counted(some.length, noun))] : [];
  });
}

/** Returns a row for each resource type: how many objects were found and written, and what was left out, with the reason. */
export function tableOf(
  found: readonly LiveObject[],
  adopted: ReadonlySet<string>,
  reasonOf: (object: LiveObject) => string,
): string[][] {
  const rows = [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, own]) => {
    const written = own.filter(({ key }) => adopted.has(key));
    const left = Map.groupBy(
      own.filter(({ key }) => !adopted.has(key)),
      reasonOf,
    );
    const reasons = [...left].map(([reason, some]) => `${some.length} ${reason}`);
    const values = written.length === 0 ? [] : unwritten(kind, written);
    return [kind.name, `${own.length}`, `${written.length}`, [...reasons, ...values].join("; ")];
  });
  return [["type", "found", "written", "left out"], ...rows];
}

/** Returns the lines at the start of a program: what wrote it, and what it doesn't manage, with the reasons. */
export function headOf(
  organization: string,
  adopted: readonly LiveObject[],
  unread: readonly string[],
): string[] {
  const written = [...Map.groupBy(adopted, ({ kind }) => kind)].flatMap(([kind, own]) => {
    const reasons = unwritten(kind, own);
    return reasons.length === 0 ? [] : [`${kind.name}: ${reasons.join("; ")}`];
  });
  const lines = [...written, ...unread];
  const origin = `\`buildpipeline adopt\` wrote this program from the organization ${organization}.`;
  if (lines.length === 0) return [origin];
  return [`${origin} It doesn't manage:`, ...lines.flatMap((line) => wrappedAt(98, `- ${line}`))];
}

/** Breaks a line between words. Lines after the first are indented. */
function wrappedAt(width: number, text: string): string[] {
  if (text.length <= width) return [text];
  const end = text.lastIndexOf(" ", width);
  return [text.slice(0, end), ...wrappedAt(width, `  ${text.slice(end + 1)}`)];
}

/** Returns the arguments that the program states of no object, by the reason. */
function unwritten(kind: AnyKind, own: readonly LiveObject[]): string[] {
  const fields = Object.entries(kind.arguments);
  const isAlternative = (name: string) => fields.some(([, { unless }]) => unless?.argument === name);
  const isAbsent = (name: string) => own.every(({ observed }) => !(name in observed));
  const isDerived = (name: string) =>
    name === kind.unique?.argument && own.some((object) => declarable(object).args[name] === undefined);
  const reasonFor = ([name, field]: (typeof fields)[number]): string | undefined => {
    if (field.byOperator) return "operators change it";
    if (field.creationOnly && field.returnedAs === undefined)
      return isAlternative(name) ? undefined : "only the creation takes it";
    if (field.mayBeLeftOut && isAbsent(name)) return "not returned";
    return field.whenOmitted === "unmanaged" && isDerived(name) ? "where the name makes it" : undefined;
  };
  const reasons = Map.groupBy(fields, reasonFor);
  return [...reasons].flatMap(([reason, some]) =>
    reason === undefined ? [] : [`${some.map(([name]) => name).join(", ")} (${reason})`],
  );
}

function enumerated(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(" and ");
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
