import { Cluster } from "../../provider/for-commands/kinds.js";
import type { ExistingProject } from "./existing-project.js";
import type { ExportedConstant } from "./exported-constants.js";
import { ProgramFile } from "./languages/program-file.js";
import { appended } from "./languages/project-files.js";
import { importStatements, propertyName, textLiteral } from "./languages/typescript.js";

export const CLUSTER = Cluster.kind.name;

export interface ClusterReference {
  /** The name of the other project, as Pulumi knows it. */
  readonly project: string;
  /** The name of the cluster's resource there. */
  readonly name: string;
}

export interface ExportedCluster {
  readonly id: string;
  readonly name: string;
  /** Undefined where it is not known: then the id itself is exported. */
  readonly constant: ExportedConstant | undefined;
}

export const STACKS = { file: "stacks.ts", function: "clusterIn" };

export const STACKS_TEXT = `import { getOrganization, getStack, type Output, StackReference } from "@pulumi/pulumi";

const stacks = new Map<string, StackReference>();

/** Returns the id of a cluster of another project, as its stack of the same name exports it. */
export function clusterIn(project: string, name: string): Output<string> {
  const path = \`\${getOrganization()}/\${project}/\${getStack()}\`;
  const stack = stacks.get(path) ?? new StackReference(path);
  stacks.set(path, stack);
  return stack.requireOutput("clusterIds").apply((ids: Record<string, string>) => {
    const id = ids[name];
    if (id === undefined) throw new Error(\`The stack \${path} exports no cluster \${name}. Deploy it first.\`);
    return id;
  });
}
`;

const OUTPUTS = "outputs.ts";
const OPENING = "export const clusterIds = {";
const EMPTY = `\n/** Ids of clusters, for the stacks of other projects. */\n${OPENING}\n};\n`;

/** Returns the files that change. @throws if the module was edited so that references cannot be added to it */
export function exportClusters(
  { files }: ExistingProject,
  clusters: readonly ExportedCluster[],
  index: string | undefined,
): Record<string, string> {
  const before = files.get(OUTPUTS);
  const property = (name: string) => `\n  ${propertyName(name)}: `;
  const missing = clusters.filter(({ name }) => !before?.includes(property(name)));
  if (missing.length === 0) return {};
  // Every word of the file is treated as a used name.
  const file = new ProgramFile(OUTPUTS, "", before?.split(/[^\p{ID_Continue}$]+/u));
  const lines = missing.map(({ id, name, constant }) => {
    const local = constant && file.import(constant.identifier, constant.file);
    return `${property(name)}${local === undefined ? textLiteral(id) : `${local}.id`},`.slice(1);
  });
  const imports = importStatements(file)
    .map((line) => `${line}\n`)
    .join("");
  const text = before ?? EMPTY;
  // Git may check it out with the line ends of Windows.
  const opening = text.search(new RegExp(`${OPENING}\r?\n`));
  const end = text.indexOf("};", opening);
  if (opening === -1 || end === -1) {
    throw new Error(`${OUTPUTS} has no \`${OPENING}\`. Add it with these lines: ${lines.join("\n").trim()}`);
  }
  const filled = `${text.slice(0, end)}${lines.join("\n")}\n${text.slice(end)}`;
  const entry = index ?? "";
  return {
    [OUTPUTS]: before === undefined ? imports + filled : filled + imports,
    ...(!entry.includes('"./outputs"') && { "index.ts": appended(entry, 'export * from "./outputs";\n') }),
  };
}
