import { type DrawnResource, type Topology, topologyOfResources } from "../../cli/drawing/topology.js";
import type { State } from "../../cli/pulumi/state.js";
import { kinds } from "../../provider/for-commands/kinds.js";
import { isShown } from "../../shared/protocol/encoded-values.js";
import type { PlannedChange } from "./change.js";
import type { Plan } from "./plan.js";

/** Returns what the stack of a plan has after the deployment. An object that moves is drawn in both places. */
export function topologyOfPlan({ resources, masking }: Plan): Topology {
  // New objects, beside which an object that they replace may stay.
  const made = new Set(resources.flatMap(({ urn, before }) => (before === undefined ? [urn] : [])));
  const named = new Set(resources.flatMap(({ change }) => (change === undefined ? [] : namedBy(change))));
  return topologyOfResources(
    resources.flatMap(({ urn, kind, action, pending, before, after, change }): DrawnResource[] => {
      const drawn = (state: State | undefined, fields?: Partial<DrawnResource>): DrawnResource => ({
        urn,
        kind,
        id: (before ?? after)?.id,
        properties: Object.fromEntries(
          Object.entries(state?.properties ?? {}).flatMap(([name, value]) =>
            !isShown(value) ? [] : [[name, typeof value === "string" ? masking.text(value) : value]],
          ),
        ),
        propertyDependencies: state?.propertyDependencies ?? {},
        change: action,
        ...fields,
      });
      // What not everybody may see is drawn only where it changes, or a change is about it.
      const isHidden = kinds.get(kind)?.hidden?.when(before?.properties ?? {}) === true;
      if (action === undefined && isHidden && !named.has(urn)) return [];
      // The object that another one replaces has an entry of its own in the drawing.
      const replaced = { urn: `${urn} ${before?.id}` };
      if (pending || (action === "release" && made.has(urn))) return [drawn(before, replaced)];
      if (change?.movesTo === undefined) return [drawn(after ?? before)];
      return [
        drawn(before, { ...replaced, change: "delete" }),
        drawn(after, { id: undefined, change: "create" }),
      ];
    }),
  );
}

/** Returns the URNs of what a change has as a parent, or goes with, now or afterwards. */
function namedBy({ kind, refersTo }: PlannedChange): string[] {
  const { parent, arguments: fields = {} } = kinds.get(kind) ?? {};
  return Object.entries(fields).flatMap(([name, { goesWith }]) =>
    goesWith || name === parent?.argument
      ? (["before", "after"] as const).flatMap((when) => refersTo(name, when) ?? [])
      : [],
  );
}
