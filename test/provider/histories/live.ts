import type { Emulator, Fault } from "../../../src/emulator/index.js";
import { Colleague } from "../../colleague.js";
import { ruleOf } from "./faults.js";
import type { ByHand, Chapter } from "./history.js";
import { type Engine, type Entry, entryOf, type Program, type Result } from "./model-engine.js";
import { lost, remoteObjects, violations } from "./service-state.js";

const TEAM = { privacy: "visible", is_default_team: false, default_member_role: "member" } as const;

function idOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "idOf" in value ? value.idOf : undefined;
}

/** A stack whose history is played, with the service it is on. */
export class Life {
  readonly engine: Engine;
  /** Ids of what colleagues made. */
  readonly #byHand = new Set<string>();
  readonly #named = new Set<string>();
  #heard = 0;
  readonly #emulator: Emulator;
  readonly #colleague: Colleague;
  /** How often something really went wrong. */
  struck = 0;
  /** Whether the history is over and only its good end is played. */
  atEnd = false;

  constructor(emulator: Emulator, engine: Engine) {
    this.#emulator = emulator;
    this.#colleague = new Colleague(emulator);
    this.engine = engine;
  }

  /** Plays a history and ends it well. @returns what it violates */
  async playAll(chapters: readonly Chapter[]): Promise<string[]> {
    for (const [index, chapter] of chapters.entries()) {
      const wrong = await this.play(chapter);
      if (wrong.length > 0) return wrong.map((text) => `chapter ${index + 1}: ${text}`);
    }
    return this.end(chapters.at(-1)?.program ?? []);
  }

  /** Plays a chapter. @returns what it violates */
  async play({ byHand, program, command, troubles }: Chapter): Promise<string[]> {
    for (const act of byHand) await this.#act(act);
    const faults = troubles.map(
      ({ mishap, operation, after, times }): Fault =>
        this.#emulator.fault({ ...ruleOf(mishap, operation), after, times }),
    );
    const before = remoteObjects(this.#emulator);
    if (command === "up") await this.engine.up(program);
    else if (command === "refresh") await this.engine.refresh();
    else await this.engine.preview(program);
    for (const fault of faults) {
      this.struck += fault.hits;
      fault.remove();
    }
    const wrong = this.#violations();
    const after = remoteObjects(this.#emulator);
    if (command !== "up" && JSON.stringify(after) !== JSON.stringify(before)) {
      wrong.push(`${command} changed something on the service`);
    }
    const live = new Set(after.map(({ id }) => id));
    for (const { id, kind } of before) {
      if (this.#byHand.has(id) && !live.has(id) && kind !== "Queue" && kind !== "AgentToken") {
        wrong.push(`${kind} ${id}, made by hand, is gone`);
      }
    }
    return wrong;
  }

  /** Ends the history well: with nothing going wrong, an update converges, and then nothing is left to do. */
  async end(program: Program): Promise<string[]> {
    this.atEnd = true;
    const wrong: string[] = [];
    const expectSuccess = (what: string, { succeeded, errors }: Result) => {
      if (!succeeded) wrong.push(`${what} fails in the end: ${errors.join(" ")}`);
    };
    const expectQuiet = async (when: string) => {
      const { errors, steps } = await this.engine.preview(program);
      const busy = Object.entries(steps).filter(([, step]) => step !== "same");
      if (errors.length > 0 || busy.length > 0) {
        wrong.push(`a preview ${when} shows ${JSON.stringify(busy)} ${errors.join(" ")}`);
      }
    };
    expectSuccess("a refresh", await this.engine.refresh());
    await this.#clearTheWay();
    await this.#freeKeys(program);
    expectSuccess("an update", await this.engine.up(program));
    await expectQuiet("after the update");
    expectSuccess("another refresh", await this.engine.refresh());
    await expectQuiet("after the refresh");
    wrong.push(...this.#violations(), ...lost(this.engine.entries, remoteObjects(this.#emulator)));
    const names = this.engine.entries.map(({ name }) => name).sort();
    const declared = program.map(({ name }) => name).sort();
    if (names.join() !== declared.join()) wrong.push(`the state has ${names}, the program ${declared}`);
    return wrong;
  }

  /** What is wrong after a command. */
  #violations(): string[] {
    const told = this.engine.told.slice(this.#heard);
    this.#heard = this.engine.told.length;
    const known = { byHand: this.#byHand, named: this.#named, told };
    return violations(this.engine.entries, remoteObjects(this.#emulator), known);
  }

  /**
   * A queue that was replaced holds its key until the engine deletes it, which it does last: when the same key is
   * wanted again by then, an update without that queue comes before.
   */
  async #freeKeys(program: Program): Promise<void> {
    const held = new Set(this.engine.entries.flatMap(({ replaced, outs }) => (replaced ? [outs.key] : [])));
    const without = new Set<unknown>();
    for (const { name, args } of program) {
      const refers = Object.values(args).some((value) => without.has(idOf(value)));
      if ((args.key !== undefined && held.has(args.key)) || refers) without.add(name);
    }
    if (without.size > 0) await this.engine.up(program.filter(({ name }) => !without.has(name)));
  }

  /** Deletes what no state knows and an error named, as its text advises where adopting it is not wanted. */
  async #clearTheWay(): Promise<void> {
    const recorded = new Set(this.engine.entries.map(({ id }) => id));
    for (const { kind, id } of remoteObjects(this.#emulator)) {
      if (recorded.has(id) || this.#byHand.has(id)) continue;
      const queue = this.#emulator.organizationData.queues.get(id);
      if (queue !== undefined) await this.#remove(kind, id, `/clusters/${queue.cluster_id}/queues/${id}`);
      else if (kind === "Team") await this.#remove(kind, id, `/teams/${id}`);
    }
  }

  async #act({ what, to }: ByHand): Promise<void> {
    const entry = entryOf(this.engine, to);
    if (entry === undefined || !remoteObjects(this.#emulator).some(({ id }) => id === entry.id)) return;
    if (what === "twin") return this.#makeTwin(entry);
    const path = this.#pathOf(entry);
    if (what === "delete") await this.#remove(entry.kind, entry.id, path);
    else if (what === "change") await this.#change(entry, path);
    else if (entry.kind === "Queue") await this.#dispatch(entry, what, path);
  }

  /** Deletes by hand. A default queue is made none before. */
  async #remove(kind: string, id: string, path: string): Promise<void> {
    const { clusters, queues } = this.#emulator.organizationData;
    const cluster = kind === "Queue" ? clusters.get(queues.get(id)?.cluster_id ?? "") : undefined;
    if (cluster?.default_queue_id === id) {
      await this.#colleague.sends("PUT", `/clusters/${cluster.id}`, { default_queue_id: null });
    }
    await this.#colleague.sends("DELETE", path);
  }

  async #dispatch({ id }: Entry, what: "pause" | "resume", path: string): Promise<void> {
    const paused = this.#emulator.organizationData.queues.get(id)?.dispatch_paused ?? false;
    if (paused === (what === "pause")) return;
    await this.#colleague.sends("POST", `${path}/${what}_dispatch`);
  }

  async #change({ kind, outs }: Entry, path: string): Promise<void> {
    const described = { description: "by hand" };
    if (kind === "Team") {
      const permissions = { members_can_create_pipelines: outs.membersCanCreatePipelines ?? false };
      await this.#colleague.sends("PATCH", path, { ...TEAM, name: outs.name, ...described, ...permissions });
    } else if (kind === "Suite") await this.#colleague.sends("PATCH", path, { default_branch: "by-hand" });
    else await this.#colleague.sends(kind === "PipelineTemplate" ? "PATCH" : "PUT", path, described);
  }

  /** Makes an object of the same name by hand. A queue's key is taken already, and so is a team's name. */
  async #makeTwin({ kind, outs }: Entry): Promise<void> {
    const { name, clusterId } = outs;
    const twins: Record<string, [string, object]> = {
      Cluster: ["/clusters", { name }],
      AgentToken: [`/clusters/${clusterId}/tokens`, { description: outs.description }],
      PipelineTemplate: ["/pipeline-templates", { name, configuration: "steps: []" }],
      Suite: ["/suites", { name, default_branch: "main" }],
    };
    const twin = twins[kind];
    if (twin === undefined) return;
    const before = new Set(remoteObjects(this.#emulator).map(({ id }) => id));
    await this.#colleague.sends("POST", ...twin);
    for (const { id } of remoteObjects(this.#emulator)) if (!before.has(id)) this.#byHand.add(id);
  }

  #pathOf({ kind, id, outs }: Entry): string {
    const paths: Record<string, string> = {
      Cluster: `/clusters/${id}`,
      Queue: `/clusters/${outs.clusterId}/queues/${id}`,
      AgentToken: `/clusters/${outs.clusterId}/tokens/${id}`,
      PipelineTemplate: `/pipeline-templates/${id}`,
      Team: `/teams/${id}`,
      Suite: `/suites/${this.#emulator.organizationData.suites.get(id)?.slug}`,
    };
    return paths[kind] ?? "";
  }
}
