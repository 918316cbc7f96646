import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kinds } from "../../src/provider/for-commands/kinds.js";
import { type Backend, typeToken } from "../../src/shared/protocol/type-token.js";

export interface ExportedResource {
  urn: string;
  type: string;
  id?: string | undefined;
  external?: boolean;
  delete?: boolean;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  [field: string]: unknown;
}

/** What recorded/record.mjs recorded of the real engine. */
export function recorded(name: string): string {
  return join(__dirname, "recorded", `${name}.json`);
}

const recordedResources: readonly ExportedResource[] = JSON.parse(
  readFileSync(recorded("stack-export"), "utf8"),
).deployment.resources;

/** A recorded resource of a kind. What the engine records of one, it records of every other in the same form. */
function exampleOf(kind: string): ExportedResource {
  const isOf = (name: string) => (one: ExportedResource) => one.type.endsWith(`buildpipeline:${name}`);
  const own = recordedResources.find(isOf(kind));
  if (own !== undefined) return own;
  const other = recordedResources.find(isOf("Cluster"));
  if (other === undefined || !kinds.has(kind)) throw new Error(`The recording has no ${kind}.`);
  const { organization, __provider } = other.inputs ?? {};
  const type = other.type.replace("Cluster", kind);
  const values = { organization, __provider };
  return { ...other, type, urn: other.urn.replace(other.type, type), inputs: values, outputs: values };
}

/** A resource as the engine exports one of that kind, with an id and properties of the test's own. */
export function exported(
  kind: string,
  id: string,
  { properties = {}, ...fields }: { properties?: Record<string, unknown> } & Partial<ExportedResource> = {},
): ExportedResource {
  const example = exampleOf(kind);
  const urn = `${example.urn.slice(0, example.urn.lastIndexOf("::"))}::${id}`;
  const { inputs } = example;
  // The service that was recorded is another than the test's.
  const { url: _, ...outputs } = example.outputs ?? {};
  return {
    ...example,
    urn,
    id,
    inputs: { ...inputs, ...properties },
    outputs: { ...outputs, ...properties },
    ...fields,
  };
}

/** A whole export with these resources beside the stack itself and its default provider. */
export function stackExport(...resources: readonly ExportedResource[]): string {
  const others = recordedResources.filter(({ type }) => type.startsWith("pulumi:"));
  return JSON.stringify({ version: 3, deployment: { manifest: {}, resources: [...others, ...resources] } });
}

/** A preview of these steps, of which nothing is missing. */
export function previewOf<Step extends { readonly op: string }>(steps: readonly Step[]) {
  const counts = [...Map.groupBy(steps, ({ op }) => op)].map(([op, { length }]) => [op, length] as const);
  return { steps, changeSummary: Object.fromEntries(counts) };
}

/** A step of a preview about a resource of the test's own, which is made, deleted or stays. */
export function stepOf(
  op: "create" | "same" | "delete",
  kind: string,
  name: string,
  inputs: Record<string, unknown>,
  fields: { id?: string; outputs?: Record<string, unknown> } = {},
) {
  const state = resourceOf(kind, name, `id-of-${name}`, inputs, { outputs: {}, ...fields });
  return step(op, op === "create" ? undefined : state, op === "delete" ? undefined : state);
}

/** A resource of the test's own, as the engine writes one; without an id, one that is yet to be made. */
export function resourceOf(
  kind: string,
  name: string,
  id: string | undefined,
  inputs: Record<string, unknown>,
  more: object = {},
  backend: Backend = "dynamic",
): ExportedResource & { inputs: Record<string, unknown> } {
  const type = typeToken(kind, backend);
  const urn = `urn:pulumi:production::ci::${type}::${name}`;
  return { urn, type, ...(id && { id }), inputs, outputs: id ? inputs : {}, ...more };
}

export const theStack = {
  urn: "urn:pulumi:production::ci::pulumi:pulumi:Stack::ci-production",
  type: "pulumi:pulumi:Stack",
  custom: false,
};

/** A step, and the arguments that it changes. */
export function step(
  op: string,
  before: ExportedResource | undefined,
  after: ExportedResource | undefined,
  ...names: string[]
) {
  return {
    op,
    urn: (after ?? before)?.urn ?? "",
    ...(before && { oldState: before }),
    ...(after && { newState: after }),
    ...(names.length > 0 && { diffReasons: names }),
  };
}
