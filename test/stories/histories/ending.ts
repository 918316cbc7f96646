import type { Emulator } from "../../../src/emulator/index.js";
import { type Entry, entryOf, type Result } from "./engine/engine.js";
import { type History, usual } from "./history.js";
import type { Life, Played, World } from "./life.js";
import { type Declared, type Program, referencesOf } from "./program.js";
import { remaining, remoteObjects } from "./sections.js";

export async function live(life: Life, { chapters }: History): Promise<Played> {
  const { count, outcomes } = life;
  for (const [index, chapter] of chapters.entries()) {
    const wrong = (await life.play(chapter)).map((text) => `chapter ${index + 1}: ${text}`);
    if (wrong.length > 0) return { wrong, count, outcomes };
  }
  const last = chapters.at(-1);
  const program = () => (last === undefined ? [] : life.casting.programOf({ ...last, bridge: "aliases" }));
  // The access token that saw an object last may be another one, or unknown.
  const varied = chapters.some(
    ({ settings, troubles }) =>
      settings.token !== "usual" || troubles.some(({ operation }) => operation === "accessToken.get"),
  );
  return { wrong: await end(life, program, varied), count, outcomes };
}

/**
 * Ends a life: with nothing going wrong, an update converges, then nothing is left to do, and a destroy leaves nothing of
 * the stack.
 *
 * @param last makes the latest program, with what is there by then
 * @param varied whether commands had other access tokens, or could not find out which one they had
 * @returns what it violates
 */
async function end(life: Life, last: () => Program, varied: boolean): Promise<string[]> {
  const { world } = life;
  const { emulator, engine } = world;
  const wrong: string[] = [];
  const expectSuccess = (what: string, { succeeded, errors }: Result) => {
    if (!succeeded) wrong.push(`the end: ${what} fails: ${errors.join(" ")}`);
  };
  const expectQuiet = async (when: string) => {
    const { errors, steps } = await engine.preview(program);
    const busy = Object.entries(steps).filter(([, step]) => step !== "same");
    if (errors.length > 0 || busy.length > 0)
      wrong.push(`the end: a preview ${when} shows ${JSON.stringify(busy)} ${errors.join(" ")}`);
  };
  giveRightsBack(emulator);
  world.use(usual);
  await forgetWhatIsElsewhere(world);
  wrong.push(...(await life.run({ what: "refresh" }, usual)));
  if (unarchiveWhatNoListShows(world)) await engine.refresh();
  await forgetWhatMessagesGaveUp(world, varied || life.hasLostRole);
  const program = withoutWhatIsInTheWay(life, world, last());
  life.use(program);
  clearTheWay(life, world, program);
  const active = withoutArchiving(program);
  await freeKeys(world, active);
  await removeImportsByThemselves(world, active);
  if (active.some((declared, index) => declared !== program[index])) await engine.up(active);
  wrong.push(...(await life.run({ what: "up" }, usual)));
  clearTheWay(life, world, program);
  expectSuccess("an update", await engine.up(program));
  await expectQuiet("after the update");
  expectSuccess("a refresh", await engine.refresh());
  await expectQuiet("after the refresh");
  // Settings have the organization's slug as id.
  const live = new Set([emulator.organization, ...remoteObjects(emulator).map(({ id }) => id)]);
  for (const { name, id } of engine.entries)
    if (!live.has(id)) wrong.push(`the end: ${name} ${id} does not exist`);
  const names = engine.entries.map(({ name }) => name).sort();
  const declared = program.map(({ name }) => name).sort();
  if (names.join() !== declared.join())
    wrong.push(`the end: the state has ${names}, the program ${declared}`);
  if (wrong.length > 0) return wrong;

  const recorded = engine.entries;
  life.use([]);
  wrong.push(...(await life.run({ what: "destroy" }, usual)));
  if (engine.entries.length > 0)
    wrong.push(`the end: destroy leaves ${engine.entries.map(({ name }) => name)}`);
  const left = remaining(emulator).find(({ id }) =>
    recorded.some((entry) => entry.id === id && entry.outs.import === undefined),
  );
  if (left !== undefined) wrong.push(`the end: destroy leaves the ${left.kind} ${left.id} on the service`);
  return wrong;
}

/**
 * The latest program without imports that have not been carried out, without a second team of one name, and without what
 * others put into clusters of this stack: an imported object there refuses the cluster's deletion.
 */
function withoutWhatIsInTheWay(life: Life, { emulator, engine }: World, program: Program): Program {
  const own = new Set(engine.entries.filter(({ kind }) => kind === "Cluster").map(({ id }) => id));
  const objects = remoteObjects(emulator);
  // A team that others renamed keeps its slug. These names are slugs as well.
  const isSlugTaken = ({ name, kind, args }: Declared) =>
    engine.entries.some(
      (entry) =>
        entry.kind === kind && entry.name !== name && entry.outs.slug === args.name && declares(entry),
    );
  const declares = ({ name }: Entry) => program.some((declared) => declared.name === name);
  return withoutDangling(
    program.filter((declared) => {
      const { import: named, name, kind, args } = declared;
      const isFirst = program.findIndex((one) => one.kind === kind && one.args.name === args.name);
      if (keepsSlug(kind) && (program[isFirst] !== declared || isSlugTaken(declared))) return false;
      const known = entryOf(engine, name)?.id;
      const object = objects.find(({ id }) => id === known || named?.endsWith(id));
      if (typeof args.clusterId === "string" && own.has(args.clusterId)) {
        if (object !== undefined) life.others.remove(object);
        return false;
      }
      return named === undefined || known !== undefined;
    }),
  );
}

/** Names of queues, teams and pipelines are unique, and renamed teams and pipelines keep their slugs. */
function keepsSlug(kind: string): boolean {
  return kind === "Team" || kind === "Pipeline";
}

/** Without what refers to something that the program lacks. */
function withoutDangling(program: Program): Program {
  const kept = new Set<string>();
  return program.filter((declared) => {
    if (!Object.values(referencesOf(declared)).every((to) => kept.has(to))) return false;
    return kept.add(declared.name);
  });
}

function giveRightsBack({ organizationData: { accessTokens } }: Emulator): void {
  for (const { id } of accessTokens.list()) accessTokens.update(id, { admin: true, sees_secret_teams: true });
}

/** What a wrong base address led to is removed from the state, as its message advises: dependents first. */
async function forgetWhatIsElsewhere({ engine, isElsewhere }: World): Promise<void> {
  for (const entry of engine.entries.toReversed()) if (isElsewhere(entry.id)) await engine.forget(entry);
}

/**
 * What a refresh could not confirm is removed from the state, as its message advises, if it is really gone. A list that
 * shows no archived pipelines confirms the absence of none.
 */
async function forgetWhatMessagesGaveUp({ emulator, engine }: World, varied: boolean): Promise<void> {
  const live = new Set(remoteObjects(emulator).map(({ id }) => id));
  for (const entry of engine.entries.toReversed()) {
    const isHidden = entry.outs.privacy === "secret" || entry.outs.available === false;
    const hidden = ofPipelines.has(entry.kind) || (varied && isHidden);
    const isAdvised = engine.observed.some(
      (text) => text.includes(entry.id) && text.includes("pulumi state delete"),
    );
    if (hidden && isAdvised && !live.has(entry.id)) await engine.forget(entry);
  }
}

/** A pipeline that others renamed and archived is in no list, so they unarchive it, as its message advises. */
function unarchiveWhatNoListShows({ emulator, engine }: World): boolean {
  const { pipelines } = emulator.organizationData;
  const hidden = engine.entries.filter(
    ({ id }) =>
      pipelines.get(id)?.archived_at != null &&
      engine.observed.some((text) => text.includes(id) && text.includes("unarchive it in the web interface")),
  );
  for (const { id } of hidden) pipelines.update(id, { archived_at: null });
  return hidden.length > 0;
}

const ofPipelines = new Set(["Pipeline", "PipelineSchedule", "TeamPipeline"]);

/** Others remove what they put in the way, and what no state knows and an error named. */
function clearTheWay(life: Life, { emulator, engine }: World, program: Program): void {
  const recorded = new Set(engine.entries.map(({ id }) => id));
  const imported = new Set(life.casting.importedBy(program));
  const clusters = new Set(engine.entries.filter(({ kind }) => kind === "Cluster").map(({ id }) => id));
  const objects = remoteObjects(emulator);
  const isOwn = ({ id }: { id: string }) => recorded.has(id) || imported.has(id);
  // With a pipeline, an imported schedule in it would go, and no list says so.
  const holding = new Set(objects.filter(isOwn).map(({ parent }) => parent?.id));
  for (const object of objects) {
    const { kind, id, parent } = object;
    if (isOwn(object) || holding.has(id)) continue;
    const isInside = clusters.has(parent?.id ?? "");
    const isTaken =
      kind === "Queue" || kind === "TeamPipeline" || kind === "OrganizationRule" || keepsSlug(kind);
    if (isInside || isTaken) life.others.remove(object);
  }
}

/**
 * A queue, a team, a rule or an access that is deleted holds its name or its pipelines until then, and the engine deletes last: when the
 * same is wanted again by then, an update without that resource comes before.
 */
async function freeKeys({ engine }: World, program: Program): Promise<void> {
  const declared = new Set(program.map(({ name }) => name));
  const leaving = engine.entries.filter(({ replaced, name }) => replaced || !declared.has(name));
  const held = new Set(
    leaving.flatMap(({ kind, name, outs }) => {
      if (kind === "OrganizationRule") return [outs.type];
      if (kind === "TeamPipeline") return [name];
      return kind === "Queue" ? [outs.key] : keepsSlug(kind) ? [outs.name, outs.slug] : [];
    }),
  );
  const without = new Set<unknown>();
  for (const { name, kind, args } of program.filter((declared) => declared.import === undefined)) {
    const refers = Object.values(args).some(
      (value) => typeof value === "object" && value !== null && "idOf" in value && without.has(value.idOf),
    );
    const isHeld =
      held.has(args.key) || held.has(args.type) || held.has(name) || (keepsSlug(kind) && held.has(args.name));
    if (isHeld || refers) without.add(name);
  }
  if (without.size > 0) await engine.up(program.filter(({ name }) => !without.has(name)));
}

/** A removed option `import` is deployed before a change of the same resource that would replace it, as its message advises. */
async function removeImportsByThemselves({ engine }: World, program: Program): Promise<void> {
  const asRecorded = program.map((declared) => {
    const recorded = entryOf(engine, declared.name)?.outs;
    if (recorded?.import === undefined || declared.import !== undefined) return declared;
    const args = Object.entries(declared.args).map(([name, value]) => [name, recorded[name] ?? value]);
    return { ...declared, args: Object.fromEntries(args) };
  });
  if (asRecorded.some((declared, index) => declared !== program[index])) await engine.up(asRecorded);
}

/** An archived pipeline takes no other change, so those are deployed before it is archived, as the message advises. */
function withoutArchiving(program: Program): Program {
  return program.map((declared) => {
    const { archived, ...args } = declared.args;
    return archived === true && declared.import === undefined ? { ...declared, args } : declared;
  });
}
