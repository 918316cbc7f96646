/** An object before and after a preview. */
export interface Entry {
  readonly kind?: string;
  readonly name: string;
  readonly id?: string;
  /** What the preview plans. Default: nothing. */
  readonly does?: "delete" | "create" | "replace" | "update" | "import";
  readonly isGone?: boolean;
  readonly was?: object;
  readonly is?: object;
  /** Of the entry in state: `retainOnDelete`. */
  readonly options?: object;
}

export const many = (count: number, entry: Omit<Entry, "name">, prefix = "object"): Entry[] =>
  Array.from({ length: count }, (_, index) => ({ ...entry, name: `${prefix}-${index}` }));

interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: object;
  readonly newState?: object;
  readonly detailedDiff?: object;
}

/** A whole preview of a stack, as Pulumi prints it after a refresh, or what `pulumi refresh --preview-only` prints. */
export function previewOf(entries: readonly Entry[], project = "acme", isDrift = false) {
  const stack = {
    urn: `urn:pulumi:production::${project}::pulumi:pulumi:Stack::${project}-production`,
    type: "pulumi:pulumi:Stack",
  };
  const stateOf = ({ kind = "Pipeline", name, id = `id-of-${name}`, options }: Entry, values = {}) => {
    const type = `buildpipeline:index:${kind}`;
    const urn = `urn:pulumi:production::${project}::${type}::${name}`;
    return { urn, type, id, custom: true, inputs: values, outputs: { name, ...values }, ...options };
  };
  const refreshes = entries
    .filter(({ does }) => does !== "create" && does !== "import")
    .map((one): Step => {
      const oldState = stateOf(one, one.was);
      const { urn } = oldState;
      return one.isGone
        ? { op: "delete", urn, oldState }
        : { op: "refresh", urn, oldState, newState: oldState };
    });
  const plans = entries.flatMap((one): Step | Step[] => {
    const [oldState, newState] = [stateOf(one, one.was), stateOf(one, one.is ?? one.was)];
    const { urn } = oldState;
    const detailedDiff = Object.fromEntries(Object.keys(one.is ?? {}).map((name) => [name, {}]));
    if (one.does === "delete") return one.isGone ? [] : { op: "delete", urn, oldState };
    if (one.does === "create" || one.does === "import" || one.isGone)
      return {
        op: one.does ?? "create",
        urn,
        newState: { ...newState, id: one.does === "import" ? newState.id : "" },
      };
    if (one.does === "replace")
      return ["create-replacement", "replace", "delete-replaced"].map((op) => ({
        op,
        urn,
        oldState,
        newState,
      }));
    return { op: one.does ?? "same", urn, oldState, newState, detailedDiff };
  });
  const of = { urn: stack.urn, oldState: stack, newState: stack };
  const planned = isDrift ? [] : [{ op: "same", ...of }, ...plans];
  const steps = [{ op: "refresh", ...of }, ...refreshes, ...planned];
  const counts = Map.groupBy(isDrift ? refreshes : planned, ({ op }) => op);
  const changeSummary = Object.fromEntries([...counts].map(([op, own]) => [op, own.length]));
  return { steps, changeSummary };
}
