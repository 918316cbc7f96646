import { ENVIRONMENT, READ_ONLY } from "../../src/configuration/settings.js";
import { importForm } from "../../src/provider/imports/import-option.js";
import type { AnyKind } from "../../src/resources/kind.js";
import type { Description, LookupDescription, ResourceDescription } from "./description.js";
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
import type { Quickstart } from "./quickstart.js";

/** The name of the page about a resource type, and of its file: `agent-token` for `AgentToken`. */
export function pageOf(kind: { readonly name: string }): string {
  return kind.name.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase();
}

/** The pages about what a program uses, by their names. */
export function programPages(
  { resources, lookups, settings }: Description,
  quickstart: Quickstart,
): Record<string, string> {
  const outputs = resources.flatMap((resource) => resource.outputs);
  const results = lookups.flatMap((lookup) => lookup.result);
  return {
    resources: page(
      "Resources",
      "A program imports the classes from `pulumi-buildpipeline` or from `pulumi-buildpipeline/native`. In other " +
        "languages they are `buildpipeline:index:Cluster` and so on.",
      [
        table(
          ["resource", "import name"],
          resources.map(({ kind }) => [
            `[\`${kind.name}\`](${pageOf(kind)}.md)`,
            kind.importing === undefined ? "–" : `\`${importForm(kind)}\``,
          ]),
        ),
        "## Types",
        ...interfaceSections(interfacesOf(outputs)),
      ],
    ),
    ...Object.fromEntries(
      resources.map((resource) => [pageOf(resource.kind), resourcePage(resource, quickstart)]),
    ),
    functions: page(
      "Functions",
      "Each reads what exists while the program runs. Each has a form that takes outputs and returns one: " +
        "`getClusterOutput` for `getCluster`, and so on.",
      [...lookups.flatMap(lookupSections), "## Types", ...interfaceSections(interfacesOf(results))],
    ),
    settings: page(
      "Settings",
      "The provider takes each setting from the arguments of an explicit `Provider`, then from stack configuration, " +
        "then from the environment.",
      [
        table(
          ["argument of `Provider`", "stack configuration", "environment", "description"],
          settings.map(({ name, documentation }) => [
            `\`${name}\`?`,
            `\`buildpipeline:${name}\`${name === "accessToken" ? " (secret)" : ""}`,
            name in ENVIRONMENT ? `\`${Reflect.get(ENVIRONMENT, name)}\`` : "–",
            documentation,
          ]),
        ),
        `The environment variable \`${READ_ONLY}\` is no setting of a stack. With \`true\`, the provider sends reads only and ` +
          "requires no write scopes. The [configuration](../configuration.md#settings) page describes it.",
      ],
    ),
  };
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
        ["argument", "type", "when left out", "a change", "description"],
        args.map((argument) => [
          `\`${argument.name}\`${argument.optional ? "?" : ""}`,
          typeName(argument.type),
          whenOmitted(kind, argument.name),
          onChange(kind, argument.name),
          withExamples(argument),
        ]),
      ),
    ),
    "## Outputs",
    linked(
      table(
        ["output", "type", "description"],
        outputs.map((output) => [
          `\`${output.name}\`${output.optional ? "?" : ""}`,
          `${typeName(output.type)}${kind.outputs[output.name]?.secret ? ", secret" : ""}`,
          output.documentation,
        ]),
      ),
    ),
    ...(form === undefined ? [] : importSections(kind, form)),
  ]);
}

const LANGUAGES: Readonly<Record<string, string>> = { python: "Python", go: "Go", yaml: "YAML" };

function importSections({ name }: AnyKind, form: string): string[] {
  const example = form.replaceAll(/<([^|>]*\|)*([^|>]+)>/g, "<$2>");
  return [
    "## Import",
    `The import name is \`${form}\`. The dynamic provider imports with the option \`import\` or with the ` +
      "[command](../importing.md), in TypeScript and JavaScript:",
    `\`\`\`sh\nnpx pulumi-buildpipeline import ${name} example "${example}"\n\`\`\``,
    "With the [plugin](../native.md), Pulumi imports it in each of the plugin's languages:",
    `\`\`\`sh\npulumi import buildpipeline:index:${name} example "${example}"\n\`\`\``,
  ];
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

function lookupSections({
  name,
  arguments: args,
  result,
  resultDocumentation,
  ...comment
}: LookupDescription): string[] {
  return [
    `## ${name}`,
    comment.documentation,
    ...comment.throws.map((text) => `Fails with ${text}`),
    ...examples(comment.examples),
    `### Arguments of ${name}`,
    propertyTable(args),
    `### Result of ${name}`,
    ...(resultDocumentation === "" ? [] : [resultDocumentation]),
    propertyTable(result),
  ];
}
