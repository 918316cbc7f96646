import { isUnknown, UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import { isSameObject } from "../../../shared/protocol/identity.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import { namesAmong, ORGANIZATION } from "../../../shared/protocol/properties.js";
import type { OutputField } from "../../kind/field.js";
import { type AnyKind, isConnection, type Judgement } from "../../kind/kind.js";
import type { Arguments, Known, Outputs } from "../../kind/value-roles.js";
import { requireReplaceable, takenInChange } from "../imports/conflicts.js";
import { findImported } from "../imports/find-imported.js";
import { wantedValue } from "../imports/holders.js";
import { alreadyManaged } from "../imports/import-match.js";
import { getOwn } from "../missing/marks.js";
import { guardOrganization } from "../run/access.js";
import { isMissing } from "../run/errors.js";
import type { Reporter } from "../run/reporter.js";
import type { Session } from "../run/session.js";
import { changedNames, decode, isKept, keptValue, outputsOf, sameArgument } from "../values/codec.js";
import { type ChangeRequest, type Inputs, organizationOf, refOf } from "../values/state.js";
import { announceLosses } from "./announce-losses.js";
import { isLacked, isUnseen, requireConfirmed, resetWarning, unconfirmed } from "./unreturned.js";
import { unchangedIn } from "./update.js";
import { isGivenUp, namesToSend } from "./write-contents.js";

const RENAME_WITH_IMPORT =
  "existing objects are imported. Where a resource was only renamed in the program, use " +
  '{ aliases: [{ name: "<old name>" }] } instead of import: a deletion of the old entry by --target, or by another ' +
  "provider instance, deletes the object.";

/** Plans a change, and records what the plan says of the object for the other resources of the run. */
export async function diff(session: Session, request: ChangeRequest): Promise<PlannedChange> {
  const { state, inputs } = request;
  const { kind, id } = state;
  const { entries, run } = session;
  const key = { organization: organizationOf(session.settings, state), kind, id };
  session.service.recent.noteInState(state);
  const ofProgram = entries.isOfProgram(inputs);
  if (!ofProgram) await requireReplaceable(session, request);
  if (ofProgram && !entries.plan(key, state, inputs)) throw new Error(alreadyManaged(kind, id, id));
  if (ofProgram && entries.isEngineImport()) {
    session.reporter.warnOfAll(RENAME_WITH_IMPORT);
    run.note(key, { isEngineImport: true });
    for (const name of recordedLater(request))
      session.reporter.warn(
        `${kind.name}.${name}: the API doesn't return it, and Pulumi records an imported object as it is returned. It applies ` +
          "once you run pulumi up again.",
      );
  }
  const movesOrganization = guardOrganization(session.settings, state, inputs.organization);
  const facts: Facts = {
    movesOrganization,
    namedId: await idOfNewImport(session, movesOrganization ? inputs : state, request),
    isCreated: (value) => run.some(value, ({ written }) => written === "created"),
    isDeletedFirst: (value) => run.some(value, ({ label }) => label === "deletedFirst"),
  };
  const asInState = plan(request, facts);
  // Somebody may have given the object since what it would be replaced for.
  const depends = asInState.replaces.some((name) => kind.arguments[name]?.replacesFor !== undefined);
  const planned = depends ? plan(await withLive(session, request), facts) : asInState;
  // A refresh compares the other way round: from what others changed to what the state has.
  if (ofProgram) for (const warning of planned.warnings) session.reporter.warn(warning);
  if (ofProgram && planned.replaces.length === 0) sayUnsent(session.reporter, request, planned);
  // A refresh asks for a diff as well, and would fail by a refusal of what others changed.
  if (planned.refusal !== undefined && (ofProgram || planned.isImportRefused))
    throw new Error(planned.refusal);
  const isReplaced = planned.replaces.length > 0;
  const taken = ofProgram ? await takenInChange(session, request, isReplaced) : undefined;
  if (taken !== undefined) throw new Error(taken);
  if (ofProgram && isReplaced) await announceLosses(session, request);
  if (ofProgram && planned.replaces.length === 0) {
    for (const name of planned.givenUp)
      session.reporter.inform(
        `${kind.name}.${name}: the program no longer has it, so nothing is sent and the ${kind.words.noun} ${id} keeps its value`,
      );
    const ending = kind.ending?.(state.outputs, inputs.args, session.service.time(), inputs.generation);
    if (ending !== undefined) session.reporter.warn(ending);
    const reset = planned.names.size > 0 ? resetWarning(request) : undefined;
    if (reset !== undefined) session.reporter.warnOnce(reset);
  }
  if (ofProgram && !entries.isEngineImport()) await requireConfirmedUpdate(session, request, planned);
  if (ofProgram && planned.replaces.length === 0) {
    run.note(key, { entry: "kept", known: state.outputs, label: planned.renames ? "renamed" : "held" });
    entries.noteImported(key, state);
  }
  if (ofProgram && isReplaced) entries.noteReplaced();
  if (isReplaced && planned.deleteBeforeReplace) run.note(key, { label: "deletedFirst" });
  return planned;
}

/** Returns the arguments of an object that the engine imports which its state lacks until the next deployment, unseen. */
function recordedLater({ state, inputs: { args } }: ChangeRequest): string[] {
  const { kind, outputs } = state;
  return Object.entries(kind.arguments).flatMap(([name, { whenOmitted, inEveryUpdate, isFirst }]) => {
    // A preview shows these.
    const isShown = whenOmitted === "unmanaged" || inEveryUpdate || isFirst;
    return !isShown && isLacked(kind, name) && args[name] !== undefined && outputs[name] === undefined
      ? [name]
      : [];
  });
}

/** Says what is sent although the program doesn't change it, and what only a creation could have sent. */
function sayUnsent(
  reporter: Reporter,
  { state, inputs, unsent }: ChangeRequest,
  { resent }: PlannedChange,
): void {
  const { kind, id } = state;
  const object = `the ${kind.words.noun} ${id}`;
  const isKnown = resent.some((name) => unsent.has(name) && !isUnseen(kind, name));
  const why = isKnown ? ", because the API has another value than this stack sent" : "";
  if (resent.length > 0) reporter.inform(`sends the ${resent.join(" and ")} of ${object}${why}`);
  const known = { ...state.outputs, ...unchangedIn(state, new Set()) };
  for (const name of [...namesAmong(state.unsent)].map(String)) {
    if (inputs.args[name] === undefined || kind.arguments[name]?.creationOnly === undefined) continue;
    // A later read may have shown it.
    if (isKept(kind, name, inputs.args, known)) continue;
    reporter.warn(
      `${kind.name}.${name}: ${object} was created without it, and only a creation takes it, so nothing is sent. To have it, ` +
        `replace the ${kind.words.noun}: pulumi up --replace <urn>.`,
    );
  }
}

/** Refuses the update that the deployment would refuse. It asks the API only about an object with unconfirmed arguments. */
async function requireConfirmedUpdate(
  { service, settings }: Session,
  { state, inputs }: ChangeRequest,
  { names, replaces }: PlannedChange,
): Promise<void> {
  const { kind } = state;
  const isSent = [...names].some((name) => kind.arguments[name]?.sentAs !== undefined);
  if (!isSent || replaces.length > 0 || settings.offline || unconfirmed(kind, inputs.args).length === 0)
    return;
  const organization = organizationOf(settings, state);
  const ref = refOf(organization, state);
  const live = await getOwn(service.context(organization), ref).catch((error: unknown) => {
    // The deployment says how to create it again.
    if (!isMissing(error)) throw error;
  });
  if (live !== undefined) requireConfirmed(kind, state.id, inputs.args, decode(kind, live));
}

/** @param home what says in which organization the object to import is */
async function idOfNewImport(
  { service, settings }: Session,
  home: Pick<Inputs, "organization">,
  { state, inputs }: ChangeRequest,
): Promise<string | undefined> {
  const { kind, import: name } = inputs;
  if (typeof name !== "string" || isUnknown(name) || name === state.import || settings.offline)
    return undefined;
  const organization = organizationOf(settings, home);
  return (await findImported(service, { organization, kind, name, declared: inputs.args })).id;
}

/** Returns a request with what the service has now, if the object can be read. */
async function withLive({ service, settings }: Session, request: ChangeRequest): Promise<ChangeRequest> {
  const { state } = request;
  if (settings.offline) return request;
  const organization = organizationOf(settings, state);
  const reading = getOwn(service.context(organization), refOf(organization, state));
  const live = await reading.catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  const found = live === undefined ? {} : decode(state.kind, live);
  // What a response shows in part is what the state has, if it fits that.
  const shown = Object.keys(found).map((name) => [
    name,
    keptValue(state.kind, name, state.args[name], found),
  ]);
  const outputs = { ...state.outputs, ...found, ...Object.fromEntries(shown) };
  return { ...request, state: { ...state, outputs } };
}

type PlannedChange = ReturnType<typeof plan>;

interface Facts {
  /** The settings name another organization, and allow that. */
  readonly movesOrganization: boolean;
  /** Id of the object that a new value of the option `import` names, where that is known. */
  readonly namedId: string | undefined;
  isCreated(value: unknown): boolean;
  isDeletedFirst(value: unknown): boolean;
}

/**
 * Plans a change: asks nothing and records nothing. It judges known values only, because a replaced parent and
 * `destroy --target` ask with unknown ones.
 */
export function plan(request: ChangeRequest, facts: Facts) {
  const { state, inputs } = request;
  const { kind } = state;
  const [old, next] = [state.args, inputs.args];
  const changes = changedNames(kind, old, next);
  const names = namesToSend(request);
  // References to an object that is deleted before its replacement must be deleted first. Example: the service refuses
  // to delete a queue while it is the default.
  const replaces = [...names].filter(
    (name) =>
      (changes.has(name) && isReplaced(request, name)) ||
      (isUnknown(next[name]) && facts.isDeletedFirst(old[name])),
  );
  const certain = replaces.filter((name) => !isUnknown(next[name]));
  if (facts.movesOrganization) {
    replaces.push(ORGANIZATION);
    certain.push(ORGANIZATION);
  }
  const isKeptBy = (name: string) => kind.arguments[name]?.changesWith?.some((other) => changes.has(other));
  const resent = [...names].filter(
    (name) =>
      request.unsent.has(name) ||
      (!changes.has(name) && (kind.arguments[name]?.apply ?? kind.arguments[name]?.secret) !== undefined),
  );
  const givenUp = [...changes].filter((name) => isGivenUp(kind, name, next) && !isKeptBy(name));
  const importRefusal = refusalOfImport(request, certain, facts.namedId);
  const { warnings, refusal } =
    importRefusal === undefined && replaces.length === 0
      ? refusedChanges(request, names, facts.isCreated)
      : { warnings: [], refusal: importRefusal };
  return {
    changed: names.size > 0 || replaces.length > 0 || state.import !== inputs.import,
    names,
    replaces,
    resent,
    givenUp,
    /** Nothing changes, but an earlier deployment left something unsent. */
    onlyUnsent: names.size > 0 && [...names].every((name) => request.unsent.has(name)),
    /** The engine may replace what this only updates, as its options say. */
    deleteBeforeReplace:
      keepsUniqueValue(kind, old, next) ||
      certain.some(
        (name) => kind.arguments[name]?.replacesFor?.(next[name], state.outputs) === "deletes first",
      ),
    renames: kind.unique !== undefined && names.has(kind.unique.argument),
    warnings,
    refusal,
    isImportRefused: importRefusal !== undefined,
  };
}

/** Returns whether the change of an argument replaces the object. */
export function isReplaced({ state, inputs }: ChangeRequest, name: string): boolean {
  const field = state.kind.arguments[name];
  return Boolean(field?.replacesFor?.(inputs.args[name], state.outputs) ?? field?.replaces === true);
}

/**
 * The service refuses a second object with the value, so the old one must go first. A connection to something in another
 * place is another one, which the service takes before the old one ends.
 */
function keepsUniqueValue(kind: AnyKind, old: Arguments, next: Arguments): boolean {
  if (kind.unique?.isRefused !== true) return false;
  const { argument } = kind.unique;
  const place = kind.parent?.argument;
  if (isConnection(kind) && place !== undefined && !sameArgument(kind, place, old[place], next[place]))
    return false;
  return sameArgument(kind, argument, wantedValue(kind, old), wantedValue(kind, next));
}

/**
 * Refuses the replacement of an imported object while the option is set. The replacement would import it again, and the
 * deletion of the old entry would delete the same object.
 */
function refusalOfImport(
  { state, inputs }: ChangeRequest,
  replaces: readonly string[],
  namedId: string | undefined,
): string | undefined {
  const { kind, id, import: before } = state;
  const after = inputs.import;
  if ((before === undefined && after === undefined) || isUnknown(after)) return undefined;
  const namesAnother = namedId !== undefined && !isSameObject(namedId, id);
  const { noun } = kind.words;
  // Another object than the replaced one: a creation with a lost response made it.
  if (replaces.length > 0 && namesAnother && before === undefined) return undefined;
  if (replaces.length > 0) {
    const how =
      after === undefined
        ? "Deploy the removal of the import option by itself first, then make this change"
        : "Remove the import option first and deploy, then make this change";
    return `${kind.name}: a change of ${replaces.join(", ")} would replace the imported ${noun} ${id}. ${how}.`;
  }
  if (!namesAnother) return undefined;
  return (
    `${kind.name}.import: ${JSON.stringify(after)} is the ${noun} ${namedId}, but this resource is ` +
    `already ${id}. Declare a separate resource for the other one, or remove the import option.`
  );
}

/** Refuses changes that the service would, and warns of what they do besides. */
function refusedChanges(
  request: ChangeRequest,
  names: ReadonlySet<string>,
  isCreated: (value: unknown) => boolean,
): { readonly warnings: readonly string[]; readonly refusal?: string } {
  const { state, inputs } = request;
  const { kind } = state;
  const made = creationOnlyChanges(request, names, isCreated);
  const judged = names.size === 0 ? {} : judgementOf(kind, state.args, inputs.args, state.outputs, names);
  const own = [...droppedParts(request, names), ...(judged.warnings ?? [])];
  const warnings = [...made.warnings, ...own.map((text) => `${kind.name}.${text}`)];
  const refusal = made.refusal ?? (judged.refusal && `${kind.name}.${judged.refusal}`);
  return { warnings, ...(refusal !== undefined && { refusal }) };
}

/** Says which parts of arguments the program no longer names: of some, the service keeps what a program doesn't name. */
function droppedParts({ state, inputs }: ChangeRequest, names: ReadonlySet<string>): string[] {
  return [...names].flatMap((name) => {
    const next = inputs.args[name];
    if (state.kind.arguments[name]?.concerned === undefined || next === undefined || isUnknown(next))
      return [];
    const kept = Object.keys({ ...Object(state.args[name]) }).filter(
      (key) => Object(next)[key] === undefined,
    );
    // Warning argument-unmanaged: The program stops managing a setting, and the API keeps its last value.
    // Fix: Give the value that it must have before you leave it out.
    return kept.map((key) =>
      withCode(`${name}: ${key} is no longer named, and keeps its value.`, "argument-unmanaged"),
    );
  });
}

/** Judges a change as a whole, by what is known of it. */
export function judgementOf(
  kind: AnyKind,
  old: Arguments,
  next: Arguments,
  known: Known,
  names: ReadonlySet<string>,
): Judgement {
  const later = new Set(Object.keys(next).filter((name) => isUnknown(next[name])));
  return kind.change?.({ old: knownIn(old), next: knownIn(next), known, names, later }) ?? {};
}

function knownIn(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !isUnknown(value)));
}

/**
 * Refuses changes that only a creation could carry out. If a change follows from an object that the same deployment
 * creates, an error would stop halfway. Then it is a warning, and the state takes the new value.
 */
function creationOnlyChanges(
  { state: { kind, id }, inputs: { args: next } }: ChangeRequest,
  names: ReadonlySet<string>,
  isCreated: (value: unknown) => boolean,
): { readonly warnings: readonly string[]; readonly refusal?: string } {
  const warnings: string[] = [];
  for (const name of names) {
    const advice = kind.arguments[name]?.creationOnly;
    if (typeof advice !== "string" || next[name] === undefined) continue;
    const text = `${kind.name}.${name}: ${advice}`;
    const { noun } = kind.words;
    if (isUnknown(next[name])) {
      warnings.push(`${text} Its value is not known yet. The ${noun} ${id} keeps its current value.`);
    } else if (partsOf(next[name]).some(isCreated)) {
      warnings.push(`${text} The ${noun} ${id} keeps its current value, and state records the new one.`);
    } else return { warnings, refusal: text };
  }
  return { warnings };
}

function partsOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(partsOf) : [value];
}

export function creationPreview({ kind, organization, secretNames, args }: Inputs): Outputs {
  const outs = outputsOf({ kind, organization: String(organization), secretNames, args });
  const unmanaged = Object.keys(kind.arguments).filter(
    (name) => outs[name] === undefined && kind.arguments[name]?.whenOmitted === "unmanaged",
  );
  return { ...outs, ...unknown([...unmanaged, ...unwritten(kind, outs), ...Object.keys(kind.outputs)]) };
}

export function updatePreview({ state, inputs }: ChangeRequest): Outputs {
  const { kind } = state;
  const organization = String(state.organization ?? inputs.organization);
  const changed = changedNames(kind, state.args, inputs.args);
  const outs = outputsOf({ ...state, ...inputs, organization }, unchangedIn(state, changed));
  const mayBeOther = Object.entries(kind.outputs).filter(([, field]) => mayChange(field, changed));
  // Such as the note of a pause, where the program gives none.
  const appliedAlong = Object.entries(kind.arguments).filter(
    ([name, field]) => inputs.args[name] === undefined && mayChange(field, changed),
  );
  const names = [...mayBeOther, ...appliedAlong].map(([name]) => name);
  return { ...outs, ...unknown([...names, ...unwritten(kind, outs)]) };
}

/** Returns documents that are no text yet, because something in them isn't known: a typed program takes a text alone. */
function unwritten(kind: AnyKind, outs: Outputs): string[] {
  return Object.keys(kind.arguments).filter(
    (name) => kind.arguments[name]?.isDocument && typeof outs[name] === "object",
  );
}

function unknown(names: readonly string[]): Outputs {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}

export function stableOutputs(kind: AnyKind, changed: ReadonlySet<string>): string[] {
  return Object.entries(kind.outputs)
    .filter(([, field]) => !mayChange(field, changed))
    .map(([name]) => name);
}

function mayChange(
  { spells, changesWith }: Partial<Pick<OutputField<string>, "spells" | "changesWith">>,
  changed: ReadonlySet<string>,
): boolean {
  if (changesWith === "any") return changed.size > 0;
  return [...(changesWith ?? []), ...(spells === undefined ? [] : [spells])].some((name) =>
    changed.has(name),
  );
}
