import { type AnyKind, importForm, kindNamed, parentKindOf } from "../../src/provider/for-commands/kinds.js";
import { capitalized } from "../../src/shared/messages/nouns.js";
import type { Described, Description, LookupDescription, ResourceDescription } from "./description.js";
import {
  examples,
  interfaceSections,
  interfacesOf,
  page,
  propertyName,
  table,
  typeName,
  withExamples,
} from "./markdown.js";
import type { Declaration, Quickstart } from "./quickstart.js";
import type { Property } from "./source.js";

/** A class that a page describes. A component has no kind. */
type Subject = Described & Partial<Pick<ResourceDescription, "kind">>;

/** The name of the page about a class, and of its file: `agent-token` for `AgentToken`. */
export function pageOf({ name }: { readonly name: string }): string {
  return name.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase();
}

/** Returns a link to a resource type's example: its own, or the one that has all without. */
export function exampleOf(kind: AnyKind, quickstart: Quickstart, words = ""): string {
  const name = quickstart.exampleWith(pageOf(kind));
  return `[${words}${name}](../../examples/${name}/index.ts)`;
}

/** Returns the generated part of the index of all documents: an entry for each of these pages, below the one of them all. */
export function indexParts({ resources, components }: Description): Record<string, string[]> {
  const pages = [...resources, ...components].sort((one, other) => one.name.localeCompare(other.name));
  return {
    "resource-types": [pages.map((one) => `  - [${one.name}](reference/${pageOf(one)}.md)`).join("\n")],
  };
}

/** Returns the page of each resource type and of each component, by its name. */
export function resourcePages(
  { resources, components, lookups }: Description,
  quickstart: Quickstart,
): Record<string, string> {
  return Object.fromEntries(
    [...resources, ...components].map((subject: Subject) => {
      const found = lookups.filter(({ name }) =>
        [`get${subject.name}`, `get${subject.name}s`].includes(name),
      );
      return [pageOf(subject), resourcePage(subject, found, quickstart)];
    }),
  );
}

function resourcePage(
  subject: Subject,
  lookups: readonly LookupDescription[],
  quickstart: Quickstart,
): string {
  const { name, kind, arguments: inputs, outputs } = subject;
  const [summary = "", ...behavior] = subject.documentation.split("\n\n");
  // Its own section describes the import.
  const isImport = (text: string) => /^(?:`\{ import: |[^.]*option `import`)/.test(text);
  const [, ownId] = /Its id is ((?!a UUID)[^.]+)\./.exec(summary.replaceAll("\n", " ")) ?? [];
  const ownOutputs = outputs.filter((output) => inputs.every((input) => input.name !== output.name));
  return page(name, summary, [
    "## Example",
    ...exampleSections(subject, quickstart),
    "## Constructor",
    constructors(subject),
    "The options are [Pulumi's](https://www.pulumi.com/docs/iac/concepts/resources/options/), and " +
      "[a table](pulumi-options.md) says how they affect the resource.",
    "## Inputs",
    table(
      ["input", "type", "when left out", "changing it", "description"],
      inputs.map((input) => [
        ...nameAndType(input),
        whenOmitted(subject, input),
        onChange(subject, input),
        withExamples({ ...input, documentation: withoutColumns(input.documentation) }),
      ]),
    ),
    "## Outputs",
    ...(kind === undefined ? [] : ["Every input is also an output. The other outputs are:"]),
    table(
      ["output", "type", "description"],
      [
        ...(kind === undefined
          ? []
          : [["`id`", "string", `${capitalized(ownId ?? `UUID of the ${owner(kind).words.noun}`)}.`]]),
        ...(kind === undefined ? outputs : ownOutputs).map((output) => [
          ...nameAndType(output, isSecret(subject, output)),
          output.documentation,
        ]),
      ],
    ),
    ...interfaceSections(interfacesOf([...inputs, ...outputs])),
    ...lookupSections(subject, lookups, quickstart),
    ...importSections(subject, quickstart, behavior.find(isImport) ?? ""),
    ...(behavior.every(isImport) ? [] : ["## Behavior", ...behavior.filter((text) => !isImport(text))]),
  ]);
}

const LANGUAGES: Readonly<Record<string, string>> = { python: "Python", go: "Go", yaml: "YAML" };

function exampleSections(subject: Subject, quickstart: Quickstart): string[] {
  const { kind } = subject;
  return [
    ...quickstart
      .snippets(subject)
      .flatMap(([language, code]) =>
        language === "typescript"
          ? examples([code])
          : [`In ${LANGUAGES[language] ?? language}:`, `\`\`\`${language}\n${code}\n\`\`\``],
      ),
    ...(kind === undefined ? [] : [`${exampleOf(kind, quickstart, "The example ")} shows more.`]),
  ];
}

function constructors({ name, kind, arguments: inputs }: Subject): string {
  const options = kind === undefined ? "pulumi.ComponentResourceOptions" : "ResourceOptions";
  const required = inputs.filter(({ optional }) => !optional).map((input) => `${snakeCase(input.name)}=…, `);
  const rows = [
    ["TypeScript", `new ${name}(name: string, args: ${name}Args, opts?: ${options})`],
    ["Python", `buildpipeline.${name}(resource_name, opts=None, ${required.join("")}…)`],
    ["Go", `buildpipeline.New${name}(ctx, name, &buildpipeline.${name}Args{…}, opts...)`],
    ["YAML", `type: buildpipeline:index:${name}`],
  ];
  return table(
    ["language", "constructor"],
    rows.map(([language = "", code = ""]) => [language, `\`${code}\``]),
  );
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, "_$&").toLowerCase();
}

function nameAndType(property: Property, secret = false): [name: string, type: string] {
  const { type, resource } = property;
  const accepted = resource === undefined ? "" : ` or [${resource}](${pageOf({ name: resource })}.md)`;
  return [propertyName(property), `${typeName(type)}${accepted}${secret ? ", secret" : ""}`];
}

function isSecret({ kind }: Subject, { name }: Property): boolean {
  return kind === undefined
    ? /token$/i.test(name)
    : kind.outputs[name]?.secret !== undefined || kind.arguments[name]?.secret === true;
}

/** What names an object of a kind: the parent, where it has no name of its own. */
function owner(kind: ResourceDescription["kind"]): ResourceDescription["kind"] {
  return kind.importing === undefined ? (parentKindOf(kind) ?? kind) : kind;
}

/** A component passes on arguments of its parts. */
function fieldOf({ kind, name }: Subject, argument: string) {
  return (kind ?? kindNamed(name.replace(/^Rotating/, "")))?.arguments[argument];
}

function whenOmitted(subject: Subject, { name, optional }: Property): string {
  const field = fieldOf(subject, name);
  if (field === undefined) return optional ? "nothing" : "required";
  if (field.default !== undefined) return `\`${JSON.stringify(field.default)}\``;
  return { required: "required", cleared: "cleared", unmanaged: "not managed", ignored: "nothing" }[
    field.whenOmitted
  ];
}

function onChange(subject: Subject, { name }: Property): string {
  const field = fieldOf(subject, name);
  if (field === undefined) return "see the description";
  if (field.replaces) return "replaces";
  return typeof field.creationOnly === "string" ? "refused" : "updates";
}

/** Leaves out the sentences that other columns of the table have. */
function withoutColumns(documentation: string): string {
  return documentation
    .replaceAll(/(?:^| )(?:Required\.|Default: (?:none|false|`[^`]*`)\.)(?= |$)/g, "")
    .replaceAll(
      / Changing it (?:updates in place(?:; leaving it out clears it)?|replaces the \w+)\.(?= |$)/g,
      "",
    );
}

/** How a program reads an object that it doesn't own: the quickstart's, found by its name where that is possible. */
function lookupSections(
  subject: Subject,
  lookups: readonly LookupDescription[],
  quickstart: Quickstart,
): string[] {
  const { name, kind, outputs } = subject;
  const declared = quickstart.declaration(name);
  if (kind === undefined || declared === undefined) return [];
  const { parent } = kind;
  const single = lookups.find((lookup) => lookup.name === `get${name}`);
  const takes = (argument: string) => single?.arguments.some((taken) => taken.name === argument) ?? false;
  const owner = parent && `${parent.kind.charAt(0).toLowerCase()}${parent.kind.slice(1)}`;
  const within = parent && `${parent.argument}: ${owner}.id`;
  // A schedule is found by its pipeline's slug.
  const found = parent && !takes(parent.argument) && single ? `${owner}Slug: ${owner}.slug` : within;
  const [place] = quickstart.importName(kind)?.split("/") ?? [];
  const steps = [
    ...(parent
      ? [[parent.kind, `${parent.kind === "Pipeline" ? "slug" : "name"}: "${place}"`] as const]
      : []),
    ...(single?.arguments.length === 0 ? [[name, ""] as const] : []),
    ...(single !== undefined && single.arguments.length > 0
      ? [[name, [found, finding(single, declared, parent?.argument)].filter(Boolean).join(", ")] as const]
      : []),
  ].map(([of, args]) => ({ of, variable: `${of.charAt(0).toLowerCase()}${of.slice(1)}`, args }));
  const code = [
    `import { ${[name, ...steps.map(({ of }) => `get${of}Output`)].join(", ")} } from "pulumi-buildpipeline";\n`,
    ...steps.map(({ of, variable, args }) => `const ${variable} = get${of}Output(${args && `{ ${args} }`});`),
    `const existing = ${name}.get("${declared.name}", ${steps.at(-1)?.variable}.id${single && within ? `, { ${within} }` : ""});`,
  ];
  const linked = lookups.map((lookup) => `[\`${lookup.name}\`](functions.md#${lookup.name.toLowerCase()})`);
  const secrets = outputs.some((output) => isSecret(subject, output)) ? " Neither returns the secret." : "";
  return [
    "## Lookup",
    linked.length === 0
      ? `\`${name}.get\` adds an existing one to the state, as a resource that Pulumi reads and never changes.`
      : `${linked.join(" and ")} ${linked.length === 1 ? "returns what exists" : "return objects that exist"}. \`${name}.get\` also adds one to the state, as a ` +
        `resource that Pulumi reads and never changes.${secrets}`,
    ...examples([code.join("\n")]),
  ];
}

/** Returns the argument by which a function finds what the quickstart declares. */
function finding(lookup: LookupDescription, { properties }: Declaration, parent: string | undefined): string {
  const takes = (name: string) => lookup.arguments.some((argument) => argument.name === name);
  const found = ["key", "name"].find((name) => takes(name) && properties[name] !== undefined);
  if (found !== undefined) return `${found}: ${JSON.stringify(properties[found])}`;
  const [other = "id"] = takes("id")
    ? []
    : lookup.arguments.flatMap(({ name }) => (name === parent ? [] : [name]));
  return `${other}: "${UUID}"`;
}

/** An id, where nothing else finds an object. */
const UUID = "0190f1c4-8a02-4c5f-8f1e-7b1f0f3d2a44";

/** How an existing object gets into a stack, by the name that it has in the quickstart. */
function importSections({ name, kind }: Subject, quickstart: Quickstart, remark: string): string[] {
  if (kind === undefined)
    return [
      "## Lookup and import",
      `A \`${name}\` is no object of the API, so no function reads one and no import name exists. Read or ` +
        "[import](agent-token.md#import) its tokens as `AgentToken`.",
    ];
  const { name: declared } = quickstart.declaration(name) ?? { name: "example" };
  const form = importForm(owner(kind)) ?? "";
  const object = quickstart.importName(kind) ?? form;
  const words = `${name} ${declared} ${/^[\w/-]+$/.test(object) ? object : `"${object}"`}`;
  return [
    "## Import",
    `The import name is \`${form}\`. The first command imports with the dynamic provider, the second one with the ` +
      "[plugin](../guides/native.md).",
    `\`\`\`sh\nnpx pulumi-buildpipeline import ${words}\npulumi import buildpipeline:index:${words}\n\`\`\``,
    kind.importing === undefined
      ? remark
      : `Or give the constructor the [option](../guides/importing.md) \`{ import: "${object}" }\`, deploy, and ` +
        `remove the option afterwards. ${/; (its .*)$/.exec(remark)?.[1]?.replace("its", "Its") ?? ""}`.trim(),
  ];
}
