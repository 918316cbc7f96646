import type { AnyKind } from "../../src/provider/kind/kind.js";
import { importForm } from "../../src/provider/lifecycle/imports/import-name.js";
import { ENVIRONMENT } from "../../src/shared/configuration/settings.js";
import type { Described, Description, LookupDescription, ResourceDescription } from "./description.js";
import {
  examples,
  interfaceSections,
  interfacesOf,
  page,
  propertyTable,
  table,
  typeName,
  withExamples,
} from "./markdown.js";
import { functionScopes, type Operation } from "./operations.js";
import type { Quickstart } from "./quickstart.js";

/** The name of the page about a resource type, and of its file: `agent-token` for `AgentToken`. */
export function pageOf(kind: { readonly name: string }): string {
  return kind.name.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase();
}

/** Returns the page of each resource type, by its name. */
export function resourcePages({ resources }: Description, quickstart: Quickstart): Record<string, string> {
  return Object.fromEntries(
    resources.map((resource) => [pageOf(resource.kind), resourcePage(resource, quickstart)]),
  );
}

/** The generated parts of the pages that a person writes about what a program uses, by the names of the pages. */
export function programParts(
  { resources, components, lookups, settings }: Description,
  operations: readonly Operation[],
): Record<"resources" | "functions" | "settings" | "scopes", Record<string, string[]>> {
  const kinds = resources.map(({ kind }) => kind);
  const outputs = resources.flatMap((resource) => resource.outputs);
  const types = interfacesOf(lookups.flatMap((lookup) => lookup.outputs));
  const listed = new Set(types.map(({ name }) => name));
  return {
    resources: {
      resources: [
        table(
          ["resource", "import name", "changing these replaces it", "example"],
          kinds.map((kind) => [
            `[\`${kind.name}\`](${pageOf(kind)}.md)`,
            kind.importing === undefined ? "the cluster's" : `\`${importForm(kind)}\``,
            Object.keys(kind.arguments)
              .filter((name) => kind.arguments[name]?.replaces)
              .map((name) => `\`${name}\``)
              .join(", ") || "–",
            `[${pageOf(kind)}](../../examples/${pageOf(kind)}/index.ts)`,
          ]),
        ),
      ],
      components: components.flatMap(componentSections),
      types: interfaceSections(interfacesOf(outputs)),
    },
    functions: {
      functions: lookups.flatMap((lookup) => lookupSections(lookup, listed)),
      types: interfaceSections(types),
    },
    settings: {
      settings: [
        table(
          ["argument of `Provider`", "stack configuration", "environment", "description"],
          settings.map(({ name, documentation }) => [
            `\`${name}\`?`,
            `\`buildpipeline:${name}\`${name === "accessToken" ? " (secret)" : ""}`,
            name in ENVIRONMENT ? `\`${Reflect.get(ENVIRONMENT, name)}\`` : "–",
            // The other columns have where the value comes from.
            documentation.replace(/ Default: the stack's [^.]*?(, then false)?\.$/, (_, off) =>
              off === undefined ? "" : " Default: `false`.",
            ),
          ]),
        ),
      ],
    },
    scopes: {
      resources: [
        table(
          ["resource", "preview, refresh, list", "deploy and destroy, in addition"],
          kinds.map((kind) => [
            `[\`${kind.name}\`](${pageOf(kind)}.md)`,
            scopesOf(kind.scopes.read),
            scopesOf(kind.scopes.write),
          ]),
        ),
      ],
      functions: [functionScopes(operations)],
    },
  };
}

function scopesOf(scopes: readonly (readonly string[])[]): string {
  return scopes.map((any) => any.map((scope) => `\`${scope}\``).join(" or ")).join(", ");
}

function resourcePage(
  { kind, arguments: args, outputs, ...comment }: ResourceDescription,
  quickstart: Quickstart,
): string {
  const form = kind.importing && importForm(kind);
  const [summary = "", ...behavior] = comment.documentation.split("\n\n");
  const languages = quickstart.snippets(kind.name).filter(([language]) => language !== "typescript");
  // Types stand on one page, because several resources share them.
  const linked = (text: string) => text.replaceAll(/\]\(#(\w+)\)/g, "](resources.md#$1)");
  return page(kind.name, summary, [
    ...behavior,
    "## Example",
    ...examples(comment.examples),
    ...languages.flatMap(([language, code]) => [
      `In ${LANGUAGES[language] ?? language}:`,
      `\`\`\`${language}\n${code}\n\`\`\``,
    ]),
    "## Arguments",
    linked(
      table(
        ["argument", "type", "when left out", "changing it", "description"],
        args.map((argument) => [
          `\`${argument.name}\`${argument.optional ? "?" : ""}`,
          typeName(argument.type),
          whenOmitted(kind, argument.name),
          onChange(kind, argument.name),
          withExamples({ ...argument, documentation: withoutColumns(argument.documentation) }),
        ]),
      ),
    ),
    "## Outputs",
    "Every argument is also an output. The other outputs are:",
    linked(
      table(
        ["output", "type", "description"],
        outputs
          .filter(({ name }) => !(name in kind.arguments))
          .map((output) => [
            `\`${output.name}\`${output.optional ? "?" : ""}`,
            `${typeName(output.type)}${kind.outputs[output.name]?.secret ? ", secret" : ""}`,
            output.documentation,
          ]),
      ),
    ),
    ...(form === undefined ? [] : importSections(kind, form)),
  ]);
}

function componentSections(component: Described): string[] {
  return [
    `### ${component.name}`,
    component.documentation,
    ...examples(component.examples),
    propertyTable(component.arguments, "argument"),
    propertyTable(component.outputs, "output"),
  ];
}

const LANGUAGES: Readonly<Record<string, string>> = { python: "Python", go: "Go", yaml: "YAML" };

function importSections({ name }: AnyKind, form: string): string[] {
  const example = form.replaceAll(/<([^|>]*\|)*([^|>]+)>/g, "<$2>");
  return [
    "## Import",
    `The import name is \`${form}\`. The first command imports with the dynamic provider, the second one with the ` +
      "[plugin](../guides/native.md); [Import](../guides/importing.md) also describes the option `import`.",
    `\`\`\`sh\nnpx pulumi-buildpipeline import ${name} example "${example}"\n` +
      `pulumi import buildpipeline:index:${name} example "${example}"\n\`\`\``,
  ];
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

function whenOmitted(kind: AnyKind, name: string): string {
  const field = kind.arguments[name];
  if (field === undefined) return "";
  if (field.default !== undefined) return `\`${JSON.stringify(field.default)}\``;
  return { required: "required", cleared: "cleared", unmanaged: "not managed", ignored: "nothing" }[
    field.whenOmitted
  ];
}

function onChange(kind: AnyKind, name: string): string {
  const field = kind.arguments[name];
  if (field?.replaces) return "replaces";
  return typeof field?.creationOnly === "string" ? "refused" : "updates";
}

function lookupSections(
  { name, arguments: args, outputs, resultName, resultDocumentation, ...comment }: LookupDescription,
  types: ReadonlySet<string>,
): string[] {
  return [
    `## ${name}`,
    comment.documentation,
    ...comment.throws.map((text) => `Fails with ${text}`),
    ...examples(comment.examples),
    ...(args.length === 0 ? [] : [`### Arguments of ${name}`, propertyTable(args)]),
    // A type that a list has as well stands below, once.
    ...(types.has(resultName)
      ? [`Returns [${resultName}](#${resultName.toLowerCase()}).`]
      : [
          `### Result of ${name}`,
          ...(resultDocumentation === "" ? [] : [resultDocumentation]),
          propertyTable(outputs),
        ]),
  ];
}
