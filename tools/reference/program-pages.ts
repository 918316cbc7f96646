import { ENVIRONMENT } from "../../src/configuration/settings.js";
import { importForm } from "../../src/provider/import-option.js";
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

/** The pages about what a program uses, by their names. */
export function programPages({ resources, lookups, settings }: Description): Record<string, string> {
  const outputs = resources.flatMap((resource) => resource.outputs);
  const results = lookups.flatMap((lookup) => lookup.result);
  return {
    resources: page(
      "Resources",
      "Each class with its arguments and outputs. A program imports them from `pulumi-buildpipeline` or from " +
        "`pulumi-buildpipeline/native`; in other languages they are `buildpipeline:index:Cluster` and so on.",
      [...resources.flatMap(resourceSections), "## Types", ...interfaceSections(interfacesOf(outputs))],
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
          ["argument of `Provider`", "stack configuration", "environment", "what it is"],
          settings.map(({ name, documentation }) => [
            `\`${name}\`?`,
            `\`buildpipeline:${name}\`${name === "accessToken" ? " (secret)" : ""}`,
            name in ENVIRONMENT ? `\`${Reflect.get(ENVIRONMENT, name)}\`` : "–",
            documentation,
          ]),
        ),
      ],
    ),
  };
}

function resourceSections({ kind, arguments: args, outputs, ...comment }: ResourceDescription): string[] {
  const form = kind.adoption && importForm(kind);
  return [
    `## ${kind.name}`,
    comment.documentation,
    ...examples(comment.examples),
    ...(form === undefined ? [] : [`Import name: \`${form}\`.`]),
    `### Arguments of ${kind.name}`,
    table(
      ["argument", "type", "when left out", "a change", "what it is"],
      args.map((argument) => [
        `\`${argument.name}\`${argument.optional ? "?" : ""}`,
        typeName(argument.type),
        whenOmitted(kind, argument.name),
        onChange(kind, argument.name),
        withExamples(argument),
      ]),
    ),
    `### Outputs of ${kind.name}`,
    table(
      ["output", "type", "what it is"],
      outputs.map((output) => [
        `\`${output.name}\`${output.optional ? "?" : ""}`,
        `${typeName(output.type)}${kind.outputs[output.name]?.secret ? ", secret" : ""}`,
        output.documentation,
      ]),
    ),
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
