import type { Declared, Program } from "./program.js";

const STACK = "urn:pulumi:production::ci::";
const COMPONENT = "buildpipeline:index:RotatingAgentToken";
const TYPE = "pulumi-nodejs:dynamic/buildpipeline:AgentToken";

/** The name in the program of the token of a generation. */
export const slotOf = (own: number) => (own % 2 === 1 ? "farm-odd" : "farm-even");

/** A token of the component, as it declares it. */
const tokenOf = (own: number, generation: number): Declared => ({
  name: slotOf(own),
  kind: "AgentToken",
  args: {
    clusterId: { idOf: "linux" },
    description: own === 1 ? "Farm" : `Farm #${own}`,
    ...(own > 1 && { triggers: { generation: own } }),
    __rotation: { of: "farm", generation },
  },
});

export const tokensOf = (generation: number): readonly Declared[] =>
  [generation - 1, generation].filter((own) => own >= 1).map((own) => tokenOf(own, generation));

/** Declares a component of a generation: its tokens, and the name of the one whose secret is its output `token`. */
export type Component = (
  generation: number,
) => Promise<{ readonly tokens: readonly Declared[]; readonly newest: string }>;

export const byClass: Component = async (generation) => ({
  tokens: tokensOf(generation),
  newest: slotOf(generation),
});

/** A cluster with a rotating token, and a store that agents start from: a template whose text is the secret. */
export async function rotating(generation: number, component: Component): Promise<Program> {
  const { tokens, newest } = await component(generation);
  const store = { name: "Store", configuration: { tokenOf: newest } };
  return [
    { name: "linux", kind: "Cluster", args: { name: "Linux" } },
    ...tokens,
    { name: "store", kind: "PipelineTemplate", args: store },
  ];
}

export interface Rotated {
  /** Generation of each token, and that of the component at its last deployment; unknown after some refreshes. */
  readonly tokens: readonly {
    readonly own: number;
    readonly generation: number | undefined;
    readonly id?: string;
    /** It was replaced, and its deletion failed. */
    readonly pending?: boolean;
  }[];
  /** Generations of the tokens that its outputs name. */
  readonly given: readonly number[];
}

/** Returns the steps of a preview of a component, as the engine prints them. @param target the only generation to deploy */
export function rotationSteps(
  { tokens, given }: Rotated,
  to: number,
  { target, sames = true }: { readonly target?: number | undefined; readonly sames?: boolean } = {},
): { op: string; [field: string]: unknown }[] {
  const stateOf = (own: number, generation: number | undefined, id?: string) => ({
    urn: `${STACK}${COMPONENT}$${TYPE}::${slotOf(own)}`,
    type: TYPE,
    parent: `${STACK}${COMPONENT}::farm`,
    ...(id !== undefined && { id }),
    inputs: {
      clusterId: "11111111-2222-4333-8444-555555555555",
      description: own === 1 ? "Farm" : `Farm #${own}`,
      organization: "acme",
      ...(own > 1 && { triggers: { generation: own } }),
      ...(generation !== undefined && { __rotation: generation }),
    },
    outputs: {},
  });
  const idOf = (own: number) => tokens.find((one) => one.own === own)?.id ?? `id-${own}`;
  const [previousTokenId, tokenId] = [given.at(-2), given.at(-1)].map((own) => own && idOf(own));
  const component = { urn: `${STACK}${COMPONENT}::farm`, type: COMPONENT, custom: false };
  const newest = given.at(-1);
  const outputs = newest === undefined ? {} : { tokenId, previousTokenId, generation: newest };
  const same = { op: "same", urn: component.urn, oldState: { ...component, outputs }, newState: component };
  const steps = tokensOf(to).flatMap(({ args }) => {
    const own = Number(Reflect.get(args.triggers ?? {}, "generation") ?? 1);
    const old = tokens.find((one) => !one.pending && slotOf(one.own) === slotOf(own));
    const isLeft = target !== undefined && target !== own;
    const newState = stateOf(own, to);
    const { urn } = newState;
    if (old === undefined) return isLeft ? [] : [{ op: "create", urn, newState }];
    const oldState = stateOf(old.own, old.generation, idOf(old.own));
    if (isLeft || old.own === own) return sames ? [{ op: "same", urn, oldState, newState: oldState }] : [];
    const reasons = { replaceReasons: ["triggers"], diffReasons: ["description", "triggers"] };
    return [{ op: "replace", urn, oldState, newState, ...reasons }];
  });
  const pending = tokens.flatMap((one) => {
    const oldState = { ...stateOf(one.own, one.generation, one.id), delete: true };
    const isLeft = target !== undefined && slotOf(target) !== slotOf(one.own);
    return one.pending && !isLeft ? [{ op: "delete-replaced", urn: oldState.urn, oldState }] : [];
  });
  return sames ? [same, ...steps, ...pending] : steps;
}
