import type { Description } from "./description.js";
import { examples, page, propertyTable, table } from "./markdown.js";
import type { Declared } from "./source.js";

/** What the client tells of its operations. */
interface OperationFacts {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string | null;
}

/** The pages about the client, by their names. */
export function clientPages(
  { source }: Description,
  operations: readonly OperationFacts[],
  messages: readonly string[],
): Record<string, string> {
  const exported = [...source.exportsOf("src/client/index.ts")];
  const declared = (name: string): Declared => {
    const found = exported.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`src/client/index.ts does not export ${name}.`);
    return found;
  };
  const client = declared("BuildPipelineClient");
  const clientType = source.instanceOf(client.type);
  const groups = [...new Set(operations.map(({ id }) => id.split(".")[0] ?? ""))];
  return {
    client: page(
      "Client",
      "`pulumi-buildpipeline/client`: each method with its request and the scope it needs.",
      [
        "## BuildPipelineClient",
        client.documentation,
        ...examples(client.examples),
        "### Options of BuildPipelineClient",
        // Their types stand on no page.
        propertyTable(source.propertiesOf(declared("BuildPipelineClientOptions").type)).replaceAll(
          /\[(\w+)\]\(#\w+\)/g,
          "`$1`",
        ),
        ...groups.flatMap((group) => groupSections(group)),
      ],
    ),
    errors: page(
      "Errors",
      "Every message with its cause and fix, then the classes that the client's methods and the functions throw.",
      [
        ...messages,
        "## Classes",
        ...[...errors(exported), ...errors(source.exportsOf("src/index.ts"))].flatMap((error) => [
          `### ${error.name}`,
          error.documentation,
          ...examples(error.examples),
          table(
            ["property", "description"],
            source
              .membersOf(source.instanceOf(error.type))
              .map(({ name, documentation }) => [`\`${name}\``, documentation || "–"]),
          ),
        ]),
      ],
    ),
  };

  function groupSections(group: string): string[] {
    const type = source.memberOf(clientType, group);
    return [
      `## ${group}`,
      ...source.methodsOf(type).flatMap(({ name, signature, ...comment }) => {
        const operation = operations.find(({ id }) => id === `${group}.${name}`);
        return [
          `### ${group}.${name}`,
          `\`\`\`ts\n${signature}\n\`\`\``,
          comment.documentation,
          ...(operation === undefined ? [] : [`\`${operation.method} ${operation.path}\``]),
          ...(comment.throws.length === 0
            ? []
            : [comment.throws.map((text) => `- Throws ${text}`).join("\n")]),
          ...examples(comment.examples),
        ];
      }),
    ];
  }
}

function errors(exported: readonly Declared[]): Declared[] {
  const named = exported.filter(({ name }) => /^[A-Z]\w*Error$/.test(name));
  return named.sort((one, other) => (one.name < other.name ? -1 : 1));
}
