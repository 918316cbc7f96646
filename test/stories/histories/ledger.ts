import type { Emulator, FaultTarget } from "../../../src/emulator/index.js";
import type { Entry } from "./engine/engine.js";
import { inPath, kindOf, type RemoteObject, remoteObjects, sections } from "./sections.js";

interface Birth {
  readonly object: RemoteObject;
  readonly by: "this stack" | "others";
  /** How many requests of this stack had arrived. */
  readonly at: number;
  readonly time: number;
}

/** A creation of this stack that reached the service, and the time in which it was under way. */
interface Attempt {
  readonly kind: string;
  readonly from: number;
  to: number;
  readonly at: number;
}

interface Rules {
  /** A preview and a refresh change nothing. */
  readonly mayWrite: boolean;
  /** Ids of objects that are imported, and so stay. */
  readonly protected: readonly string[];
  /** Ids of clusters that may be deleted with everything in them. */
  readonly mayDestroy: readonly string[];
}

/** What really happened on the service: who created what and when, and which requests of this stack touched it. */
export class Ledger {
  /** What this stack did and never may. */
  readonly trespasses: string[] = [];
  readonly #births = new Map<string, Birth>();
  readonly #attempts: Attempt[] = [];
  /** Ids of others' objects that a program of this stack has imported. */
  readonly imported = new Set<string>();
  /** Ids of others' objects that this stack took for its own, as the exception allows. From then on they are. */
  readonly mistaken = new Set<string>();
  /** Ids of objects that left the state although they exist: hidden since the state last saw them. */
  readonly hiddenSince = new Set<string>();
  /** Ids of objects of this stack that a documented exception leaves unnamed, whatever happens later. */
  readonly excused = new Set<string>();
  /** When this stack last looked at a list, or at a suite by its slug, by the number of requests. */
  readonly #looked = new Map<string, number>();
  readonly #wrote = new Map<string, number>();
  /** When this stack last read a pipeline's builds, after which a look at the pipeline is out of date. */
  readonly #strayed = new Map<string, number>();
  readonly #archived = new Set<string>();
  /** When others unarchived an object last, by the number of requests. */
  readonly #cameBack = new Map<string, number>();
  requests = 0;
  #arrival = 0;
  #rules: Rules = { mayWrite: true, protected: [], mayDestroy: [] };

  /** @param isTerse whether the service returns only what was sent when it creates a team */
  constructor(
    private readonly emulator: Emulator,
    private readonly now: () => number,
    private readonly isTerse: boolean,
  ) {}

  /** Says what the next command may not do: write at all, as a preview, or delete some objects. */
  begin(rules: Rules): void {
    this.#rules = rules;
    this.#endAttempts();
  }

  note(by: Birth["by"]): void {
    for (const object of remoteObjects(this.emulator)) {
      const { id, record } = object;
      if (record.archived_at != null) this.#archived.add(id);
      else if (this.#archived.delete(id) && by === "others") this.#cameBack.set(id, this.requests);
      const known = this.#births.get(id);
      // A pair that this stack makes after others removed theirs has the same id.
      const isMadeAgain = known?.object.record.id !== record.id && by === "this stack";
      if (known !== undefined && !isMadeAgain) continue;
      this.#births.set(id, { object, by, at: this.requests, time: this.now() });
    }
  }

  isOthers(id: string): boolean {
    const isForeign = this.#births.get(id)?.by === "others";
    return isForeign && !this.imported.has(id) && !this.mistaken.has(id);
  }

  firstLabelOf(id: string): string | undefined {
    return this.#births.get(id)?.object.label;
  }

  isOurs(id: string): boolean {
    return this.#births.get(id)?.by === "this stack";
  }

  /**
   * Whether an object of others may count as the result of a creation of this stack whose response was lost: a
   * documented exception. It was created within the window of such a creation, as far as the service's clock can tell.
   * An agent token has a secret that only its creation returns, and a suite no time: these never count.
   */
  mayBeMistaken(id: string): boolean {
    const kind = this.#births.get(id)?.object.kind;
    return kind !== "AgentToken" && kind !== "Suite" && this.appearedMeanwhile(id);
  }

  /** Whether others created an object while a creation of the same kind was under way. */
  appearedMeanwhile(id: string): boolean {
    const birth = this.#births.get(id);
    if (birth?.by !== "others") return false;
    const { kind } = birth.object;
    // A terse response needs the list that follows it.
    const untilList = kind === "Team" && this.isTerse;
    return this.#attempts.some(
      (attempt) =>
        attempt.kind === kind &&
        birth.time >= attempt.from - CLOCK_GRAIN_MS &&
        (birth.time <= attempt.to + CLOCK_GRAIN_MS || (untilList && birth.at <= attempt.at + 1)),
    );
  }

  /** Exception: whether others unarchived an object after this stack's last look at it. */
  cameBack({ kind, id, outs }: Pick<Entry, "kind" | "id" | "outs">): boolean {
    const at = this.#cameBack.get(id);
    return at !== undefined && at >= this.#lastLook(kind, `/${sections[kind]?.segment}/${outs.slug}`);
  }

  /** Notes that a request of this stack arrives: the one before has its response. */
  arrives(): void {
    this.note("this stack");
    this.#arrival = this.now();
    this.#endAttempts();
  }

  #endAttempts(): void {
    const now = this.now();
    for (const attempt of this.#attempts) if (attempt.to === ENDLESS) attempt.to = now;
  }

  /** Looks at a request of this stack before it is carried out. */
  arrived({ method, operation = "", path }: FaultTarget): void {
    this.requests += 1;
    const [, verb = ""] = operation.split(".");
    if (operation === "builds.listForPipeline") this.#strayed.set(atSlug("Pipeline", path), this.requests);
    const kind = kindOf(operation);
    if (kind === undefined) return;
    if (method === "GET") {
      // A read at a slug says nothing of another slug.
      const isAtSlug = verb === "get" && sections[kind]?.isBySlug === true;
      this.#looked.set(isAtSlug ? atSlug(kind, path) : lookOf(kind, path), this.requests);
      return;
    }
    if (!this.#rules.mayWrite) this.trespasses.push(`${method} ${path} in a command that may change nothing`);
    if (verb === "create") this.#attempts.push({ kind, from: this.#arrival, to: ENDLESS, at: this.requests });
    else this.#written(kind, verb, method, path);
  }

  #written(kind: string, verb: string, method: string, path: string): void {
    const id = this.#idIn(kind, path);
    if (id === undefined) return;
    const words = `${method} ${path}`;
    if (verb !== "delete" && this.mayBeMistaken(id)) this.mistaken.add(id);
    if (this.isOthers(id) && !this.#slippedIn(kind, id, path)) {
      this.trespasses.push(`${words} changes the ${kind} ${id} of others`);
    }
    if (verb === "delete" && this.#rules.protected.includes(id))
      this.trespasses.push(`${words} deletes the ${kind} ${id}, which is imported`);
    if (kind === "Cluster" && verb === "delete") this.#deletedWith(id, words);
    this.#wrote.set(path, this.requests);
  }

  #deletedWith(cluster: string, words: string): void {
    // Exception: the argument `forceDestroy` asks for it.
    if (this.#rules.mayDestroy.includes(cluster)) return;
    if (this.emulator.organizationData.clusters.get(cluster) === undefined) return;
    for (const { kind, id, parent } of remoteObjects(this.emulator)) {
      if (parent?.id !== cluster) continue;
      const isProtected = this.isOthers(id) || this.#rules.protected.includes(id);
      if (!isProtected || this.#slippedIn(kind, id, placeIn(cluster, kind))) continue;
      this.trespasses.push(`${words} deletes the ${kind} ${id} of others`);
    }
  }

  /**
   * Exception: the service has no conditional requests. What others create between this stack's last look and its
   * write, in the very place that the write is about, cannot be protected. Each try needs a look of its own.
   */
  #slippedIn(kind: string, id: string, path: string): boolean {
    const looked = this.#lastLook(kind, path);
    const since = Math.max(this.#wrote.get(path) ?? 0, this.#strayed.get(atSlug(kind, path)) ?? 0);
    if (looked < since) return false;
    return (this.#births.get(id)?.at ?? 0) >= looked;
  }

  #lastLook(kind: string, path: string): number {
    const looks = [atSlug(kind, path), lookOf(kind, path)].map((look) => this.#looked.get(look) ?? -1);
    return Math.max(...looks);
  }

  #idIn(kind: string, path: string): string | undefined {
    const { segment = "", parent, isBySlug } = sections[kind] ?? {};
    const named = after(path, segment);
    const around = parent && after(path, parent.segment);
    const fits = (one: RemoteObject) => inPath(one) === named && one.parent?.inPath === around;
    const found = remoteObjects(this.emulator).find((one) => one.kind === kind && fits(one));
    return found?.id ?? (isBySlug ? undefined : named);
  }
}

/** The service's clock shows whole seconds, in `Date` and in `created_at`. */
const CLOCK_GRAIN_MS = 2_000;

const ENDLESS = Number.POSITIVE_INFINITY;

/** The last part of a path that follows a segment. */
function after(path: string, segment: string): string {
  const parts = path.split("/");
  return decodeURIComponent(parts[parts.lastIndexOf(segment) + 1] ?? "");
}

/** What a look is about: the objects of a kind in one place. */
function lookOf(kind: string, path: string): string {
  const { parent } = sections[kind] ?? {};
  return `${kind} ${parent === undefined ? "" : after(path, parent.segment)}`;
}

/** The same for an object at a slug, of whatever a request does there. */
function atSlug(kind: string, path: string): string {
  return `${kind} at ${after(path, sections[kind]?.segment ?? "")}`;
}

function placeIn(cluster: string, kind: string): string {
  return `/clusters/${cluster}/${sections[kind]?.segment}`;
}
