import type { Description } from "./description.js";
import { examples, propertyTable, table } from "./markdown.js";
import { type Operation, operationsTable } from "./operations.js";
import type { Declared } from "./source.js";

/** The generated parts of the pages about the client and its errors. */
export function clientParts(
  { source }: Description,
  operations: readonly Operation[],
  messages: Readonly<Record<"messages", string[]>>,
): Record<"client" | "errors", Record<string, string[]>> {
  const exported = [...source.exportsOf("src/client/index.ts")];
  const declared = (name: string): Declared => {
    const found = exported.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`src/client/index.ts does not export ${name}.`);
    return found;
  };
  const client = declared("BuildPipelineClient");
  const clientType = source.instanceOf(client.type);
  const groups = [...new Set(operations.map(({ id }) => id.replace(/\.\w+$/, "")))];
  const classes = [...errors(exported), ...errors(source.exportsOf("src/index.ts"))];
  const members = new Map(
    classes.map((error) => [error.name, source.membersOf(source.instanceOf(error.type))] as const),
  );
  const ofApi = (members.get("ApiError") ?? []).map(({ name }) => name);
  return {
    client: {
      options: [
        // Their types stand on no page.
        propertyTable(source.propertiesOf(declared("BuildPipelineClientOptions").type)).replaceAll(
          /\[(\w+)\]\(#\w+\)/g,
          "`$1`",
        ),
      ],
      operations: [operationsTable(operations)],
      methods: groups.flatMap(methodSections),
    },
    errors: {
      ...messages,
      classes: classes.flatMap((error) => {
        const all = members.get(error.name) ?? [];
        const inherits =
          error.name !== "ApiError" && ofApi.every((name) => all.some((one) => one.name === name));
        const own = inherits ? all.filter(({ name }) => !ofApi.includes(name)) : all;
        return [
          `### ${error.name}`,
          inherits ? `An [ApiError](#apierror). ${error.documentation}` : error.documentation,
          ...examples(error.examples),
          ...(own.length === 0
            ? []
            : [
                table(
                  ["property", "description"],
                  own.map(({ name, documentation }) => [`\`${name}\``, documentation || "–"]),
                ),
              ]),
        ];
      }),
    },
  };

  function methodSections(group: string): string[] {
    const type = group.split(".").reduce((owner, name) => source.memberOf(owner, name), clientType);
    return [
      `### ${group}`,
      ...source.methodsOf(type).flatMap(({ name, signature, ...comment }) => [
        `#### ${group}.${name}`,
        `\`\`\`ts\n${signature}\n\`\`\``,
        // The table of operations has the scope.
        comment.documentation.replace(/\s*Scope: [^.]*\./, ""),
        ...(comment.throws.length === 0 ? [] : [comment.throws.map((text) => `- Throws ${text}`).join("\n")]),
        ...examples(comment.examples),
      ]),
    ];
  }
}

function errors(exported: readonly Declared[]): Declared[] {
  const named = exported.filter(({ name }) => /^[A-Z]\w*Error$/.test(name));
  return named.sort((one, other) => (one.name < other.name ? -1 : 1));
}
