import fc from "fast-check";
import { readPreview } from "../../../src/cli/pulumi/preview.js";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { leavesOutGeneration } from "../../../src/review/findings/rotation.js";
import { planOf } from "../../../src/review/plan/plan.js";
import { SimulatedClock } from "../../support/driver.js";
import { previewOf } from "../../support/recording.js";
import { entryOf } from "./engine/engine.js";
import { interruptible, type startProvider } from "./engine/start-provider.js";
import { inject, mishaps } from "./faults.js";
import { Gate } from "./gate.js";
import { ModelEngine } from "./model-engine.js";
import { byClass, type Component, rotating, rotationSteps, slotOf, tokensOf } from "./rotation-program.js";

interface Interruption {
  readonly request: number;
  /** The engine is killed before or after the service has carried the request out, or Ctrl-C lets it end. */
  readonly how: "killed before" | "killed after" | "Ctrl-C";
}

export interface Rotation {
  /** Whether the plugin declares the component by `Construct`, where the backend is the plugin. Default: its class does. */
  readonly constructs?: boolean;
  /** Whether the user raises the generation, which the documents allow once the last one was deployed. */
  readonly raises: "no" | "once deployed" | "too early" | "by two" | "back";
  readonly refreshes: boolean;
  /** `--target` of one of the two tokens. Default: everything. */
  readonly targets?: "newest" | "previous" | undefined;
  readonly trouble: { readonly operation: string; readonly mishap: string } | undefined;
  readonly interruption: Interruption | undefined;
}

const STEPS = { no: 0, "once deployed": 1, "too early": 1, "by two": 2, back: 0 } as const;

export interface RotationHistory {
  readonly backend: "dynamic" | "plugin";
  /** The component takes over an AgentToken. Default: it creates its first token. */
  readonly takesOver?: boolean;
  readonly order: number;
  readonly commands: readonly Rotation[];
}

const operations = [
  ...["agentTokens.create", "agentTokens.delete", "agentTokens.update", "agentTokens.list"],
  ...["pipelineTemplates.create", "pipelineTemplates.update", "clusters.create"],
];

const command: fc.Arbitrary<Rotation> = fc.record({
  constructs: fc.boolean(),
  raises: fc.constantFrom("once deployed", "once deployed", "by two", "no", "back"),
  refreshes: fc.constantFrom(false, false, true),
  targets: fc.constantFrom(undefined, undefined, undefined, undefined, "newest", "previous"),
  trouble: fc.option(
    fc.record({
      operation: fc.constantFrom(...operations),
      mishap: fc.constantFrom(...mishaps.map(({ name }) => name).filter((name) => !/time-out/.test(name))),
    }),
    { nil: undefined, freq: 2 },
  ),
  interruption: fc.option(
    fc.record({
      request: fc.integer({ min: 1, max: 12 }),
      how: fc.constantFrom("killed before", "killed after", "Ctrl-C"),
    }),
    { nil: undefined, freq: 2 },
  ),
});

export const rotationHistory: fc.Arbitrary<RotationHistory> = fc.record({
  backend: fc.constantFrom("dynamic", "plugin"),
  takesOver: fc.boolean(),
  order: fc.nat(),
  commands: fc.array(command, { minLength: 8, maxLength: 14 }),
});

/**
 * Plays a history on the model engine, and then deploys without trouble until nothing is left to do.
 *
 * @param construct declares the component by the plugin's `Construct`
 * @returns what happened, and everything that should not have
 */
export async function playRotation(
  { backend, takesOver = false, order, commands }: RotationHistory,
  construct = byClass,
) {
  const clock = new SimulatedClock();
  const emulator = await startEmulator({ seed: false, clock: () => new Date(clock.now()) });
  const gate = new Gate(order, { target: emulator.url });
  const place = { backend, service: emulator, gate, clock };
  const life = new RotationLife(emulator, place, backend === "plugin" ? construct : byClass);
  try {
    if (takesOver) await life.begin();
    for (const one of commands) await life.play(one);
    await life.settle();
    const { wrong, foretold, count } = life;
    return { wrong, foretold, count };
  } finally {
    await gate.close();
    await emulator.close();
  }
}

/** A stack with a rotating token, and agents that start whenever they like. */
class RotationLife {
  readonly wrong: string[] = [];
  /** What should not have happened either, but the gate of a report said so before. */
  readonly foretold: string[] = [];
  /** Generations are those that the program has asked for. */
  readonly count = {
    ...{ generations: 1, requests: 0, faults: 0, interruptions: 0, targets: 0, alarms: 0 },
    ...{ constructions: 0, reverts: 0, takenBack: 0, warned: 0 },
  };
  readonly #emulator: Emulator;
  readonly #engine: ModelEngine;
  readonly #construct: Component;
  #interrupted = false;
  #succeeded = false;
  /** Generations of the tokens that the component's outputs in state name. */
  #given: readonly number[] = [];
  /** Generation of the newest token that was the component's `token`. */
  #newest = 0;
  /** The gate stopped a deployment that was then made all the same, and none has succeeded since. */
  #alarmed = false;

  constructor(emulator: Emulator, place: Parameters<typeof startProvider>[0], construct: Component) {
    this.#emulator = emulator;
    this.#construct = construct;
    this.#engine = new ModelEngine(() => interruptible(place, () => this.#interrupted));
  }

  /** Deploys the first token without the component. */
  async begin(): Promise<void> {
    const [cluster, ...others] = await rotating(1, byClass);
    const plain = others.map(({ args: { __rotation: _, ...args }, ...one }) => ({ ...one, args }));
    await this.#engine.up(cluster === undefined ? plain : [cluster, ...plain]);
  }

  async play({ constructs, raises, refreshes, targets, trouble, interruption }: Rotation): Promise<void> {
    // Nothing in the program tells the first generation that a second one exists.
    const reverts = raises === "back" ? this.count.generations > 1 : this.count.generations === 2;
    if (reverts && this.#succeeded) await this.#goBack();
    if (raises === "back" && !this.#succeeded) this.#takeBack();
    if (this.#succeeded || raises === "too early") this.count.generations += STEPS[raises];
    const rule = trouble && inject(this.#emulator, trouble);
    const only = this.#given.length > 0 ? targets : undefined;
    await this.#up({ constructs: constructs === true, refreshes, targets: only, interruption });
    this.count.faults += rule?.hits ?? 0;
    rule?.remove();
  }

  /** Reverts the last rotation in the program, which must be refused before anything is sent, or warned of at the least. */
  async #goBack(): Promise<void> {
    this.count.reverts += 1;
    const alive = () => this.#emulator.organizationData.agentTokens.list().map(({ id }) => id);
    const before = alive();
    const program = await rotating(this.count.generations - 1, byClass);
    for (const refreshes of [false, true]) {
      if (refreshes) await this.#engine.refresh();
      const seen = this.#engine.observed.length;
      await this.#engine.preview(program);
      if (
        this.#engine.observed
          .slice(seen)
          .some((text) => /deletes "farm-even", that revokes its secret/.test(text))
      ) {
        this.count.warned += 1;
        continue;
      }
      const { succeeded } = await this.#engine.up(program);
      if (succeeded || alive().join() !== before.join())
        this.wrong.push(
          `generation ${this.count.generations} goes back, and ${alive().length} tokens are left`,
        );
    }
  }

  /**
   * Takes back a rotation that created no token, which must be possible: the deployments that follow show it. Beside a second
   * token of one description, which a lost response leaves behind, nobody can tell.
   */
  #takeBack(): void {
    const { generations } = this.count;
    const alive = this.#emulator.organizationData.agentTokens.list().map(({ description }) => description);
    const isDoubled = new Set(alive).size < alive.length;
    if (generations === 1 || isDoubled || alive.includes(`Farm #${generations}`)) return;
    this.count.takenBack += 1;
    this.count.generations -= 1;
  }

  /** Deploys without trouble: what is alive then is owned, or the user has read its id. */
  async settle(): Promise<void> {
    await this.#up({ constructs: false, refreshes: true });
    await this.#up({ constructs: true, refreshes: false });
    if (!this.#succeeded) this.wrong.push(`the last deployment fails: ${this.#engine.observed.at(-1)}`);
    const owned = new Set(this.#engine.entries.map(({ id }) => id));
    const said = [...this.#engine.observed];
    const alive = this.#emulator.organizationData.agentTokens.list();
    for (const { id, description } of alive) {
      if (owned.has(id) || said.some((text) => text.includes(id))) continue;
      // One text can name one token by its description: several may have the same.
      const named = said.findIndex(
        (text) => /AgentToken: .*import/s.test(text) && text.includes(description),
      );
      if (named < 0) this.wrong.push(`"${description}" ${id} is neither owned nor named`);
      else said.splice(named, 1);
    }
    const kept = alive.filter(({ id }) => owned.has(id)).map(({ description }) => description);
    const expected = tokensOf(this.count.generations).map(({ args }) => args.description);
    if (kept.sort().join() !== expected.sort().join()) this.wrong.push(`${kept} instead of ${expected}`);
    const newest = entryOf(this.#engine, this.count.generations % 2 === 1 ? "farm-odd" : "farm-even");
    if (newest?.outs.token !== this.#stored()) this.wrong.push("the store lacks the newest secret");
    for (const component of [byClass, this.#construct]) {
      const quiet = await this.#engine.preview(await rotating(this.count.generations, component));
      const busy = Object.values(quiet.steps).filter((step) => step !== "same");
      if (busy.length > 0) this.wrong.push(`an unchanged program shows ${busy}`);
    }
  }

  async #up({
    constructs,
    refreshes,
    targets,
    interruption,
  }: Pick<Rotation, "refreshes" | "targets"> & {
    constructs: boolean;
    interruption?: Interruption | undefined;
  }): Promise<void> {
    const wasInterrupted = this.#interrupted;
    this.#interrupted = false;
    const { generations } = this.count;
    const only = targets && (targets === "newest" ? generations : Math.max(1, generations - 1));
    if (only !== undefined) this.count.targets += 1;
    const before = this.#tokens();
    const given = before.filter(({ own }) => this.#given.includes(own));
    const inUse = given.find(({ own }) => own === this.#newest) ?? given.at(-1);
    const alarms = [true, false].map((sames) => this.#gate(only, sames));
    if (alarms[0]) this.count.alarms += 1;
    this.#alarmed ||= alarms[0] === true;
    const seen = this.#engine.observed.length;
    // After --target of the token before, the outputs name an older token, and a refresh forgets that it is older.
    const isShown =
      this.#given.at(-1) === this.#newest || before.every((one) => one.generation !== undefined);
    // A machine that boots reads the store first, and starts its agent some time later.
    const atStart = this.#stored();
    let left = interruption?.request ?? Number.POSITIVE_INFINITY;
    let kept: ModelEngine["entriesAsKept"] | undefined;
    const stop = this.#emulator.onRequest(() => {
      this.count.requests += 1;
      this.#startAgents(atStart);
      left -= 1;
      if (left !== 0 || interruption === undefined) return;
      this.count.interruptions += 1;
      this.#interrupted = true;
      if (interruption.how === "Ctrl-C") return;
      kept = this.#engine.entriesAsKept;
      this.#emulator.fault({
        when: interruption.how === "killed before" ? "before" : "after",
        action: "drop",
      });
    });
    const flags = {
      ...(refreshes && { refresh: "first" as const }),
      ...(only !== undefined && { target: [slotOf(only)] }),
    };
    const component = constructs ? this.#construct : byClass;
    if (component !== byClass) this.count.constructions += 1;
    const { succeeded } = await this.#engine.up(await rotating(generations, component), flags);
    stop();
    if (kept !== undefined) this.#engine.restore(kept);
    this.#succeeded = succeeded && kept === undefined && only === undefined;
    this.#startAgents(atStart);
    if (this.#succeeded) this.#alarmed = false;
    if (!this.#interrupted || this.#succeeded) this.#giveOut(only);
    if (inUse === undefined || wasInterrupted || this.#interrupted) return;
    const isRevoked = !this.#emulator.organizationData.agentTokens.list().some(({ id }) => id === inUse.id);
    const warned = this.#engine.observed
      .slice(seen)
      .some((text) => text.includes("revokes the secret in use"));
    const about = `generation ${generations}: the secret in use, of ${inUse.own},`;
    // A preview without a refresh or the state doesn't show deletions that are pending.
    const isSilent = before.some(({ pending }) => pending) ? !alarms[0] : alarms.includes(false);
    if (isRevoked && isSilent) this.wrong.push(`${about} is revoked, and the gate is silent`);
    if (isRevoked && !inUse.pending && inUse.generation !== undefined && !refreshes && !warned)
      this.wrong.push(`${about} is revoked without a warning`);
    if (!isRevoked && succeeded && alarms[0] && isShown)
      this.wrong.push(`${about} stays, and the gate holds`);
  }

  #tokens() {
    return this.#engine.entries
      .filter(({ kind }) => kind === "AgentToken")
      .map(({ id, replaced: pending, inputs: { triggers, __rotation: generation } }) => ({
        id,
        pending,
        own: Number(Reflect.get(Object(triggers), "generation") ?? 1),
        generation: typeof generation === "number" ? generation : undefined,
      }))
      .sort((one, other) => one.own - other.own);
  }

  /** Whether a report's gate holds this deployment. @param sames the preview shows every resource */
  #gate(target: number | undefined, sames: boolean): boolean {
    const rotated = { tokens: this.#tokens(), given: this.#given };
    const steps = rotationSteps(rotated, this.count.generations, { target, sames });
    return leavesOutGeneration(planOf(readPreview(previewOf(steps))));
  }

  /** The component's outputs get into the state once both tokens have their ids. */
  #giveOut(only: number | undefined): void {
    const { generations } = this.count;
    const tokens = this.#tokens().filter(({ pending }) => !pending);
    const given = [generations - 1, generations].flatMap((own) => {
      const token = tokens.find((one) => slotOf(one.own) === slotOf(own));
      return token !== undefined && (token.own === own || only !== undefined) ? [token.own] : [];
    });
    if (given.length < Math.min(2, generations)) return;
    this.#given = given;
    if (given.at(-1) === generations) this.#newest = generations;
  }

  /** The secret in the store; undefined as long as there is none. A killed engine can create a store twice. */
  #stored(): string | undefined {
    return this.#emulator.organizationData.pipelineTemplates.list().at(-1)?.configuration;
  }

  #startAgents(...read: readonly (string | undefined)[]): void {
    for (const [when, token] of Object.entries({ now: this.#stored(), before: read[0] })) {
      if (token === undefined) continue;
      try {
        this.#emulator.connectAgent({ token });
      } catch {
        const list = this.#alarmed ? this.foretold : this.wrong;
        list.push(`generation ${this.count.generations}: an agent that read the store ${when} can't start`);
      }
    }
  }
}
