import type { ServiceClock } from "../../../client/transport/service-clock.js";
import { identityOf } from "../../../shared/protocol/identity.js";
import type { ResourceRef, ResourceState } from "../values/state.js";

/** The age from which an absence counts: reads and lists lag behind writes. */
export const SETTLED_MS = 15_000;
/** The age up to which an object that leaves the state is named. */
const RECENT_MS = 600_000;
/** The first wait before a request for what this process has made is repeated. */
const FIRST_WAIT_MS = 500;

type Ref = Pick<ResourceRef, "kind" | "id"> & Partial<Pick<ResourceRef, "known">>;

/** When an object was made: by the service's clock, by a mark, for which this machine's may have been asked, or in this process. */
interface Birth {
  readonly at: number;
  readonly by: "service" | "mark" | "here";
}

/** Remembers what was made a short time ago, which the service may not show yet. */
export class RecentObjects {
  readonly #births = new Map<string, Birth>();
  readonly #ended = new Set<string>();
  /** What is in state then has existed since, whatever a wrong clock says. */
  readonly #begun: number;

  constructor(private readonly now: () => number) {
    this.#begun = now();
  }

  noteMade(ref: Ref): void {
    for (const address of addressesOf(ref)) {
      this.#ended.delete(address);
      this.#births.set(address, { at: this.now(), by: "here" });
    }
  }

  noteInState({ kind, id, outputs, madeAt }: ResourceState): void {
    const at = Date.parse(String(madeAt ?? outputs.createdAt));
    if (Number.isNaN(at)) return;
    for (const address of addressesOf({ kind, id, known: outputs }))
      if (!this.#births.has(address)) this.#births.set(address, { at, by: madeAt ? "mark" : "service" });
  }

  /** Notes what this process has deleted, with everything in it. */
  noteEnded(ref: Ref): void {
    for (const address of addressesOf(ref)) this.#ended.add(address);
  }

  /** Returns the time of this machine from which the absence of an object counts. */
  settledAt(ref: Ref, clock: ServiceClock): number {
    const age = this.#age(addressOf(ref), clock);
    return age === undefined ? Number.NEGATIVE_INFINITY : this.now() - age + SETTLED_MS;
  }

  /** Returns the milliseconds after which a request is repeated that got a 404, for an object or for something below it. */
  waitFor(path: string, clock: ServiceClock): number {
    // After the organization, collections and names take turns.
    const [, below = ""] = /\/organizations\/[^/]+\/(.*)/.exec(path) ?? [];
    const names = below
      .split("/")
      .filter((_, index) => index % 2 === 1)
      .map((name) => identityOf(decodeURIComponent(name)));
    if (names.some((name) => this.#ended.has(name))) return 0;
    const addresses = names.flatMap((name, index) => [name, `${names[index - 1]}/${name}`]);
    const waits = addresses.map((address) => {
      const age = this.#age(address, clock);
      if (age === undefined || age >= SETTLED_MS) return 0;
      const isOwn = this.#births.get(address)?.by === "here";
      return Math.min(SETTLED_MS - age, isOwn ? Math.max(FIRST_WAIT_MS, age) : SETTLED_MS);
    });
    return Math.max(0, ...waits);
  }

  /** Checks whether people may still remember the creation of an object. */
  isRecent({ kind, id }: Ref, clock: ServiceClock): boolean {
    const age = this.#age(addressOf({ kind, id }), clock);
    return age !== undefined && age < RECENT_MS;
  }

  /** Returns the least age that an object may have; undefined where nothing says that it is young. */
  #age(address: string, clock: ServiceClock): number | undefined {
    const birth = this.#births.get(address);
    if (birth === undefined) return undefined;
    const here = this.now();
    const now = birth.by === "here" ? here : clock.earliestAt(here);
    if (now === undefined && birth.by === "service") return undefined;
    return Math.max(birth.by === "here" ? 0 : here - this.#begun, (now ?? here) - birth.at);
  }
}

/** Returns what addresses an object in memory: a view has the id of the object that it belongs to. */
function addressOf({ kind, id }: Ref): string {
  return `${kind.view === undefined ? "" : `${kind.name} of `}${identityOf(id)}`;
}

/** Returns the same, and the names by which paths address it. */
function addressesOf(ref: Ref): readonly string[] {
  const slug = ref.known?.slug;
  return [addressOf(ref), ...(typeof slug === "string" && ref.kind.view === undefined ? [slug] : [])];
}
