import * as z from "zod";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { onStack, type Project } from "./pulumi.js";
import { objectKey, type State, stateSchema } from "./state.js";

/** A resource of one of this package's kinds that has an object. Its secrets are not readable. */
export interface StateResource extends State {
  readonly kind: string;
  readonly id: string;
  /** Identifies its object among all others, as {@link objectKey} does. */
  readonly key: string;
}

/** A step of a deployment that began, and whose end the state doesn't have: the engine was killed. */
export interface PendingOperation extends Pick<State, "urn" | "type" | "kind" | "provider" | "inputs"> {
  /** `creating`, `updating`, `deleting`, … */
  readonly operation: string;
}

/** A stack, from `pulumi stack export`. */
export interface StackState {
  /** Resources of this package. */
  readonly resources: readonly StateResource[];
  /** Operations of any package. */
  readonly interrupted: readonly PendingOperation[];
  /** When the engine wrote it last. */
  readonly writtenAt?: string | undefined;
  /** Outputs of components, by URN. */
  readonly components: ReadonlyMap<string, Readonly<Properties>>;
}

const exportSchema = z.object({
  deployment: z.object({
    manifest: z.object({ time: z.string().optional() }).optional(),
    resources: z.array(stateSchema).nullish(),
    pending_operations: z.array(z.object({ type: z.string(), resource: stateSchema })).nullish(),
  }),
});

/**
 * Reads the output of `pulumi stack export`, of any stack.
 *
 * @throws if the value isn't such an export
 */
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
    interrupted: (pending ?? []).map(
      ({ type: operation, resource: { urn, type, kind, provider, inputs } }) => ({
        operation,
        urn,
        type,
        provider,
        kind,
        inputs,
      }),
    ),
    components: componentsAmong(all),
  };
}

/** Reads the state of a project's stack. @throws PulumiError */
export async function stateOf(project: Project): Promise<StackState> {
  return readStackState(JSON.parse(await onStack(project, ["stack", "export"])));
}

/** Returns the outputs of components, by URN. */
export function componentsAmong(states: readonly State[]): ReadonlyMap<string, Readonly<Properties>> {
  return new Map(states.flatMap(({ urn, custom, outputs }) => (custom === false ? [[urn, outputs]] : [])));
}
