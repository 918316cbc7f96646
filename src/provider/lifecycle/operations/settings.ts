import { quoted } from "../../../shared/messages/quoted.js";
import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import { withCodeOf } from "../../../shared/protocol/message-codes.js";
import type { Problem } from "../../kind/argument-problems.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Observed } from "../../kind/value-roles.js";
import { getOwn } from "../missing/marks.js";
import { messageOf } from "../run/errors.js";
import type { Session } from "../run/session.js";
import { decode, isKept, reconcile, sameArgument } from "../values/codec.js";
import { type CheckRequest, type Inputs, mayQuote, organizationOf, stateIn } from "../values/state.js";
import { judgementOf } from "./diff.js";
import type { Recorded } from "./separate-operations.js";
import { update } from "./update.js";

/** Settings that each organization has once: nothing creates them, so that a creation is a change of what is there. */

async function liveSettings({ service }: Session, kind: AnyKind, organization: string) {
  const ref = { organization, kind, parent: "", id: organization, known: {} };
  const live = await getOwn(service.context(organization), ref);
  const observed: Observed = live === undefined ? {} : decode(kind, live);
  return { ref, observed };
}

function differing(kind: AnyKind, args: Arguments, observed: Observed): string[] {
  return Object.keys(kind.arguments).filter(
    (name) =>
      args[name] !== undefined && !isUnknown(args[name]) && isKept(kind, name, args, observed) === false,
  );
}

/** Shows what the creation changes, and refuses a second one, and what can't be read or changed. */
export async function settingProblems(
  session: Session,
  request: CheckRequest,
  args: Arguments,
): Promise<Problem[]> {
  const { kind } = request;
  const { entries, reporter, settings } = session;
  const { organization } = settings;
  const { noun } = kind.words;
  const key = { organization, kind, id: organization };
  const own = { kind, organization, import: undefined, secretNames: undefined, args };
  const problem = (text: string) => [{ argument: "", text: `${kind.name}: ${text}` }];
  if (entries.replacedBy(own) === undefined && !entries.reserve(key))
    return problem(
      `another resource of this program has the ${noun}s of ${organization} already. Declare them once, with the arguments of both.`,
    );
  try {
    const { observed } = await liveSettings(session, kind, organization);
    const names = new Set(differing(kind, args, observed));
    const stated = statedIn(args, observed);
    const { refusal, warnings = [] } = judgementOf(kind, stated, args, observed, names);
    if (refusal !== undefined) return [{ argument: "", text: `${kind.name}.${refusal}` }];
    for (const warning of warnings) reporter.warnOnce(`${kind.name}.${warning}`);
    const quotes = mayQuote(request);
    const shown = (name: string, value: unknown) =>
      quotes(name) ? described(kind, name, value) : "another value";
    for (const name of names)
      reporter.inform(
        `changes the live ${name} of ${organization} from ${shown(name, observed[name])} to ${shown(name, args[name])}`,
      );
    return [];
  } catch (error) {
    const text = `the ${noun}s of ${organization} can't be read, so nothing is changed. ${messageOf(error)}`;
    return problem(withCodeOf(text, error));
  }
}

/** Returns a value as a program would write it, with what it means that there is none. */
function described(kind: AnyKind, name: string, value: unknown): string {
  const meaning = sameArgument(kind, name, value, undefined) ? kind.arguments[name]?.review?.none : undefined;
  return `${value === undefined ? "unset" : quoted(value)}${meaning === undefined ? "" : ` (${meaning})`}`;
}

/** Records the settings, and changes what the program states and the organization has otherwise. */
export async function takeSettings(session: Session, inputs: Inputs): Promise<Recorded> {
  const { kind, args } = inputs;
  const organization = organizationOf(session.settings, inputs);
  const { ref, observed } = await liveSettings(session, kind, organization);
  const { outs } = reconcile({ kind, organization, args: {} }, observed);
  const state = stateIn(kind, organization, outs, statedIn(args, observed));
  const taken = await update(session, { state, inputs, unsent: new Set() });
  session.run.note(ref, { written: "created", known: taken.outs });
  return taken;
}

/** Returns what the organization has of the arguments that the program states. */
function statedIn(args: Arguments, observed: Observed): Arguments {
  return Object.fromEntries(
    Object.entries(observed).filter(([name, value]) => args[name] !== undefined && value !== undefined),
  );
}
