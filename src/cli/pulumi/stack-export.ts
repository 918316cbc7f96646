import * as z from "zod";
import type { Properties } from "../../shared/protocol/encoded-values.js";
import { onStack, type Project } from "./pulumi.js";
import { isDefaultProvider, objectKey, projectsRead, type State, stateSchema } from "./state.js";
import { withCopies } from "./state-copies.js";

/** What the state of a stack says about this package's resources. */
export interface StackState {
  /** When the engine wrote it last. */
  readonly writtenAt: string | undefined;
  readonly resources: readonly StateResource[];
  readonly interrupted: readonly PendingOperation[];
  readonly components: ReadonlyMap<string, Readonly<Properties>>;
  /** What the last deployment gave to each provider of this package that has the stack's settings. */
  readonly providers: readonly Readonly<Properties>[];
  /** Names of the projects whose stacks it reads. */
  readonly reads: readonly string[];
  /** It was never deployed, or destroyed. */
  readonly isEmpty: boolean;
}

/** A resource of one of this package's kinds that has an object. Its secrets are not readable. */
export interface StateResource extends State {
  readonly kind: string;
  readonly id: string;
  /** Identifies the object among all others, as `objectKey` does. */
  readonly key: string;
}

/** A step of a deployment that began, and whose end the state doesn't have: the engine was killed. */
export interface PendingOperation extends Pick<State, "urn" | "type" | "provider" | "kind" | "inputs"> {
  /** `creating`, `updating`, `deleting`, …, of a resource of any package. */
  readonly operation: string;
}

const exportSchema = z.object({
  deployment: z.object({
    manifest: z.object({ time: z.string().optional() }).optional(),
    resources: z.array(stateSchema).nullish(),
    pending_operations: z.array(z.object({ type: z.string(), resource: stateSchema })).nullish(),
  }),
});

const OWN_PROVIDERS = ["pulumi:providers:pulumi-nodejs", "pulumi:providers:buildpipeline"];

/** Reads the output of `pulumi stack export`, of any stack. @throws if the value isn't such an export */
export function readStackState(value: unknown): StackState {
  const parsed = exportSchema.safeParse(value);
  if (!parsed.success)
    throw new Error("is not what `pulumi stack export` prints: it has no deployment with resources.");
  const { manifest, resources, pending_operations: pending } = parsed.data.deployment;
  const all = resources ?? [];
  return {
    writtenAt: manifest?.time,
    resources: all.flatMap((state) => {
      const { kind, id } = state;
      return kind === undefined || id === undefined ? [] : [{ ...state, kind, id, key: objectKey(kind, id) }];
    }),
    interrupted: (pending ?? []).map(({ type: operation, resource }) => {
      const { urn, type, kind, provider, inputs } = resource;
      return { operation, urn, type, provider, kind, inputs };
    }),
    components: componentsAmong(all),
    providers: all.flatMap(({ urn, type, inputs }) =>
      OWN_PROVIDERS.includes(type) && isDefaultProvider(urn) ? [inputs] : [],
    ),
    reads: projectsRead(all),
    isEmpty: all.length === 0 && (pending ?? []).length === 0,
  };
}

/** Reads the state of a project's stack. @throws PulumiError */
export async function stateOf(project: Project): Promise<StackState> {
  const printed = await onStack(project, ["stack", "export"]).catch(async (error) => {
    throw await withCopies(error, project);
  });
  return readStackState(JSON.parse(printed));
}

export function componentsAmong(states: readonly State[]): ReadonlyMap<string, Readonly<Properties>> {
  return new Map(states.flatMap(({ urn, custom, outputs }) => (custom === false ? [[urn, outputs]] : [])));
}
