import { Cluster } from "../resources/cluster.js";
import {
  declaredNames,
  type ExistingProject,
  type FoundDeclaration,
  findConstantOf,
} from "./existing-project.js";
import { quotedLiteral } from "./literal.js";
import { Names } from "./names.js";

/** The type of the objects that projects refer to. */
export const CLUSTER = Cluster.kind.name;

/** A cluster that another project declares. */
export interface ClusterReference {
  /** The name of the other project, as Pulumi knows it. */
  readonly project: string;
  /** The name of the cluster's resource there. */
  readonly name: string;
}

/** A cluster of a program, for the stacks of other projects. */
export interface ExportedCluster {
  readonly id: string;
  /** The name of its resource. */
  readonly name: string;
  /** The module that declares it, and the constant there. */
  readonly file: string;
  readonly identifier: string;
}

/** The module that reads other stacks, and the function in it. */
export const STACKS = { file: "stacks.ts", module: "../stacks", function: "clusterIn" };

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

/** Returns the call that reads a cluster's id. */
export function clusterCall({ project, name }: ClusterReference): string {
  return `${STACKS.function}(${quotedLiteral(project)}, ${quotedLiteral(name)})`;
}

/** Finds the constant that has the id of a cluster of another project. */
export function findReference(
  project: ExistingProject,
  reference: ClusterReference,
): FoundDeclaration | undefined {
  return findConstantOf(project, clusterCall(reference));
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quotedLiteral(name);
}

/** The module that exports ids of clusters. */
const OUTPUTS = "outputs.ts";
const OPENING = "export const clusterIds = {\n";

/**
 * Exports the ids of clusters from a program.
 *
 * @returns the files that change
 * @throws where the program has the module, and it was changed so that nothing can be added
 */
export function exportClusters(
  { files }: ExistingProject,
  clusters: readonly ExportedCluster[],
  index: string | undefined,
): Record<string, string> {
  let text =
    files.get(OUTPUTS) ?? `\n/** Ids of clusters, for the stacks of other projects. */\n${OPENING}};\n`;
  const names = new Names(declaredNames(text), "");
  const missing = clusters.filter(({ name }) => !text.includes(`\n  ${propertyName(name)}: `));
  const lines: string[] = [];
  const imports: string[] = [];
  for (const { name, file, identifier } of missing) {
    const constant = names.take(identifier);
    const clause = constant === identifier ? identifier : `${identifier} as ${constant}`;
    imports.push(`import { ${clause} } from "./${file.replace(/\.ts$/, "")}";\n`);
    lines.push(`  ${propertyName(name)}: ${constant}.id,\n`);
  }
  if (missing.length === 0) return {};
  const opening = text.indexOf(OPENING);
  const end = text.indexOf("};", opening);
  if (opening === -1 || end === -1) {
    throw new Error(
      `${OUTPUTS} has no \`${OPENING.trim()}\`. Add it with these lines: ${lines.join("").trim()}`,
    );
  }
  text = text.slice(0, end) + lines.join("") + text.slice(end);
  const lastImport = [...text.matchAll(/^import .*\n/gm)].at(-1);
  const at = lastImport === undefined ? 0 : lastImport.index + lastImport[0].length;
  text = text.slice(0, at) + imports.join("") + text.slice(at);
  const reexport = `export * from "./outputs";\n`;
  const entry = index ?? "";
  return {
    [OUTPUTS]: text,
    ...(!entry.includes('from "./outputs"') && {
      "index.ts": entry + (entry.endsWith("\n") ? "" : "\n") + reexport,
    }),
  };
}
