import { deletionScopes, importForm } from "../../src/provider/for-commands/kinds.js";
import { ENVIRONMENT } from "../../src/shared/configuration/settings.js";
import type { Description, LookupDescription } from "./description.js";
import { examples, interfaceSections, interfacesOf, propertyTable, table } from "./markdown.js";
import { functionScopes, type Operation } from "./operations.js";
import type { Quickstart } from "./quickstart.js";
import { exampleOf, pageOf } from "./resource-pages.js";

/** The generated parts of the pages that a person writes about what a program uses, by the names of the pages. */
export function programParts(
  { resources, lookups, settings }: Description,
  operations: readonly Operation[],
  quickstart: Quickstart,
): Record<"resources" | "functions" | "settings", Record<string, string[]>> {
  const kinds = resources.map(({ kind }) => kind);
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
            exampleOf(kind, quickstart),
          ]),
        ),
      ],
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
      "scopes-of-resources": [
        table(
          ["resource", "preview, refresh, list", "deploy, in addition", "delete, in addition"],
          kinds.map((kind) => [
            `[\`${kind.name}\`](${pageOf(kind)}.md)`,
            scopesOf(kind.scopes.read),
            scopesOf(kind.scopes.write),
            scopesOf(deletionScopes(kind)) || "–",
          ]),
        ),
      ],
      "scopes-of-functions": [functionScopes(operations)],
    },
  };
}

function scopesOf(scopes: readonly (readonly string[])[]): string {
  return scopes.map((any) => any.map((scope) => `\`${scope}\``).join(" or ")).join(", ");
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
