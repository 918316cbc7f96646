import { type Action, disappears } from "../../cli/drawing/actions.js";
import type { Topology } from "../../cli/drawing/topology.js";
import { expiryOf, ROTATE_FIRST } from "../../cli/inventory/expiry.js";
import type { Diagnostic } from "../../cli/pulumi/events.js";
import { counted } from "../../shared/messages/nouns.js";
import { allowanceOf, brakeOf } from "../plan/brake.js";
import type { Change } from "../plan/change.js";
import { byWeight, type Managed, type Plan } from "../plan/plan.js";
import { holderOf } from "../plan/refactorings.js";
import { otherSteps } from "../plan/resources.js";
import { plainText } from "../plan/text.js";
import { topologyOfPlan } from "../plan/topology.js";
import { assess, type Finding } from "./assessment.js";
import { type Danger, dangerOf, dangersOf, lossesOf } from "./dangers.js";
import type { Impact } from "./impact.js";
import type { Origin } from "./origin.js";
import { type LiveReferences, queueReferences } from "./remarks/queue-references.js";
import { type ChangeGroup, groupsOf, sumsOf } from "./tables.js";

/** What a preview means for a reviewer. Every form of a report is made of it. */
export interface Report {
  readonly plan: Plan;
  readonly topology: Topology;
  /** `Preview`, `Drift`, `Failed preview` or `Failed refresh`. */
  readonly title: string;
  readonly verdict: Verdict;
  /** The organization, the pull request, the commit and the time, as far as they are known. */
  readonly about: readonly string[];
  readonly origin: Origin;
  /** How many changes there are, or what is proven where there are none. Empty for a failed preview without changes. */
  readonly summary: readonly Sum[];
  /** `unproven`: the input shows none, and not everything that could contradict it was read. */
  readonly changes: "some" | "none" | "unproven";
  /** What the changes are, where they are none of a deployment. */
  readonly explanation: string;
  readonly errors: readonly string[];
  /** Why a preview failed: what the stack has and the program declares again, and other errors. */
  readonly failure: { readonly redeclared: readonly Managed[]; readonly others: readonly string[] };
  readonly warnings: readonly string[];
  /** What people lose or notice, the dangers first. */
  readonly dangers: readonly Danger[];
  readonly groups: readonly ChangeGroup[];
  /** Undefined if the live organization was not read. */
  readonly impact: Impact | undefined;
}

interface Verdict {
  /** `clear`: confirmed. `open`: no danger was found, but some data is missing. */
  readonly level: "danger" | "caution" | "clear" | "open";
  /** `3 dangerous`, `5 noticeable`, `12 others`. */
  readonly parts: readonly string[];
  readonly dangerous: number;
  readonly noticeable: number;
  /** Changes that no sentence is about. */
  readonly others: number;
}

interface Sum {
  readonly text: string;
  readonly action?: Action;
}

export function reportOf(
  plan: Plan,
  given: {
    /** Default: judged without the present load. */
    readonly findings?: readonly Finding[];
    readonly impact?: Impact;
    readonly references?: LiveReferences;
    readonly origin?: Origin;
    readonly violations?: readonly Danger[];
  } = {},
): Report {
  const { findings = assess(plan), impact, references, origin = {}, violations = [] } = given;
  const { drift, failed, masking } = plan;
  const said = (severity: string) => plan.diagnostics.filter((one) => one.severity.startsWith(severity));
  const inWords = (some: readonly Diagnostic[]) => some.map(({ message }) => masking.text(message));
  const changes = [...plan.changes, ...plan.pending].sort(byWeight);
  const warnings = [...new Set(inWords(said("warning").filter((one) => !isAboutOwn(one, plan))))];
  const errors = said("error");
  // What is lost already comes first, and then what a deployment would do.
  const dangers = [
    ...lossesOf(plan),
    ...(impact?.findings ?? []).flatMap(({ change, refusal }) =>
      refusal ? dangerOf(refusal, [change]) : [],
    ),
    ...dangersOf(plan, findings),
    ...queueReferences(plan, references).map(({ remark, of }) => dangerOf(remark, of)),
    ...violations,
  ].sort((one, other) => Number(one.level === "caution") - Number(other.level === "caution"));
  const isProven = provesMuch(plan) && warnings.length === 0;
  const summary = summaryOf(plan, changes, isProven);
  const none = isProven ? "none" : "unproven";
  const expiries = plan.managed.flatMap(({ id, label, properties: { expiresAt } }) => {
    const expiry = expiryOf(label, expiresAt, (origin.at ?? new Date()).getTime());
    const isLeft = expiry === undefined || changes.some((one) => one.id === id && disappears(one));
    return isLeft ? [] : masking.text(`${expiry} ${ROTATE_FIRST}`);
  });
  const topology = topologyOfPlan(plan);
  const time = origin.at && `${origin.at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const about = [topology.organization, origin.pullRequest, origin.commit?.slice(0, 8), time];
  return {
    plan,
    topology,
    title: failed ? `Failed ${drift ? "refresh" : "preview"}` : drift ? "Drift" : "Preview",
    verdict: verdictOf(plan, changes, dangers, summary, isProven),
    about: about.filter((one) => one !== undefined),
    origin,
    summary,
    changes: changes.length > 0 ? "some" : none,
    explanation: drift && plan.changes.length > 0 ? DRIFT : "",
    errors: inWords(errors),
    failure: {
      redeclared: [...new Set(errors.flatMap((error) => holderOf(error, plan.managed) ?? []))],
      others: inWords(errors.filter((error) => holderOf(error, plan.managed) === undefined)),
    },
    warnings: [...warnings, ...expiries],
    dangers,
    groups: groupsOf(changes),
    impact,
  };
}

const DRIFT =
  " These are out-of-band changes. Each line shows the value in state, then the value on the service.";

/** The provider can't know that an object of the same name is this stack's: it may be checked later, or be deleted. */
function isAboutOwn({ code }: Diagnostic, { managed }: Plan): boolean {
  return code?.name === "namesake" && managed.some(({ id }) => id === code.id);
}

function summaryOf({ drift, failed }: Plan, changes: readonly Change[], isProven: boolean): Sum[] {
  const sums = sumsOf(changes, drift);
  if (sums.length > 0 || failed) return sums;
  if (isProven) return [{ text: "No changes" }];
  const shown = drift ? "The refresh shows no drift" : "The preview shows no change";
  return [{ text: `${shown} of a resource of this package` }];
}

/** Returns the verdict on a deployment. "Nothing dangerous" is said only if nothing that could contradict it is missing. */
function verdictOf(
  plan: Plan,
  changes: readonly Change[],
  dangers: readonly Danger[],
  summary: readonly Sum[],
  isProven: boolean,
): Verdict {
  const count = (wanted: Danger["level"]) => dangers.filter(({ level }) => level === wanted).length;
  const [dangerous, noticeable] = [count("danger"), count("caution")];
  const named = new Set(dangers.flatMap(({ of }) => of));
  const others = changes.filter((change) => !named.has(change)).length;
  const isClear = dangerous === 0 && isProven && !changes.some(hasUnknown);
  const brake = brakeOf(plan);
  const isBroken = plan.failed || plan.interrupted !== undefined || brake !== undefined;
  const noun = plan.drift ? "out-of-band change" : dangers.length > 0 ? "other" : "change";
  const parts = [
    ...(brake === undefined ? [] : [brake.sentence, allowanceOf(brake) ?? []].map(plainText).filter(Boolean)),
    ...(plan.failed ? [`The ${plan.drift ? "refresh" : "preview"} failed`] : []),
    ...(plan.interrupted ? ["The last deployment was interrupted"] : []),
    ...(changes.length === 0 ? summary.map(({ text }) => text) : []),
    ...(dangerous > 0 ? [`${dangerous} dangerous`] : []),
    ...(isClear && changes.length > 0 && !plan.drift ? ["Nothing dangerous"] : []),
    ...(noticeable > 0 ? [`${noticeable} noticeable`] : []),
    ...(others > 0 ? [counted(others, noun)] : []),
    ...(changes.length > 0 && dangerous === 0 && !isClear && !isBroken ? ["not everything is checked"] : []),
  ];
  // Drift is no danger of a deployment, but somebody must decide about it.
  const isNoticed = noticeable > 0 || (plan.drift && changes.length > 0);
  const rest = isClear ? "clear" : "open";
  return {
    level: isBroken || dangerous > 0 ? "danger" : isNoticed ? "caution" : rest,
    parts,
    dangerous,
    noticeable,
    others,
  };
}

/** Returns whether everything that could contradict a reassuring sentence was read and is complete. */
function provesMuch({ gaps, failed, interrupted, masking, steps }: Plan): boolean {
  const hasOthers = otherSteps(steps).size > 0;
  return gaps.length === 0 && !failed && interrupted === undefined && !hasOthers && !masking.withholds;
}

/** An argument that is known only after the deployment may turn out to be a danger. */
function hasUnknown({ action, changed }: Change): boolean {
  return action === "update" && changed.some(({ unknown }) => unknown);
}

export function isDangerous({ dangers, plan }: Report): boolean {
  const { failed, interrupted } = plan;
  return (
    failed ||
    brakeOf(plan) !== undefined ||
    interrupted !== undefined ||
    dangers.some(({ level }) => level === "danger")
  );
}
