import fc from "fast-check";
import type { Act, Meeting } from "./acts.js";
import { lateNames, mishapNames, type Trouble } from "./faults.js";
import type { Program } from "./program.js";
import { program, slotNames } from "./programs.js";
import { groups, kindNames, sections } from "./sections.js";

/** A resource that imports an object of others, and stands for it from then on. */
export interface ImportedSlot {
  readonly slot: string;
  readonly kind: string;
  readonly pick: number;
  /** Whether the program keeps the option once the object is in the state. */
  readonly keeps: boolean;
}

export interface Command {
  readonly what: "up" | "preview" | "refresh" | "destroy";
  readonly target?: readonly string[] | undefined;
  readonly replace?: readonly string[] | undefined;
  /** `up --refresh`, and with `--run-program` */
  readonly refresh?: "first" | "with the program" | undefined;
}

export interface Settings {
  /** The API access token: the usual one, another one of the same user, or one of a user with fewer rights. */
  readonly token: "usual" | "rotated" | "of another user";
  /** Where `baseUrl` leads: to the service, or to another one that does not have the objects. */
  readonly service: "right" | "wrong";
  readonly readOnly: boolean;
  /** The user interrupts the command while it waits for the request limit. */
  readonly canceled: boolean;
}

/** One command, with what happened before and happens meanwhile. */
export interface Chapter {
  readonly between: readonly Act[];
  readonly meanwhile: readonly Meeting[];
  readonly program: Program;
  /** Names of the resources that have another name in this program. */
  readonly renamed: readonly string[];
  readonly bridge: "aliases" | "nothing" | "import";
  readonly imports: readonly ImportedSlot[];
  readonly command: Command;
  readonly settings: Settings;
  readonly troubles: readonly Trouble[];
}

export interface History {
  readonly backend: "dynamic" | "plugin";
  /** In which order requests reach the service that wait at the same time. */
  readonly order: number;
  readonly page: number;
  readonly suiteSlug: "kept" | "changed";
  readonly teamResponse: "full" | "submitted";
  /** The `Date` of responses: right, missing, or ahead by so many seconds in one of so many. */
  readonly dates: undefined | "absent" | { readonly ahead: number; readonly each: number };
  /** The settings name a gateway, which leads to the service and rewrites no bodies. */
  readonly gateway: boolean;
  readonly chapters: readonly Chapter[];
}

export const usual: Settings = { token: "usual", service: "right", readOnly: false, canceled: false };

const maybe = <Value>(value: fc.Arbitrary<Value>, freq = 5) => fc.option(value, { nil: undefined, freq });

const of = (...verbs: readonly string[]) =>
  Object.values(sections).flatMap(({ group, change }) =>
    verbs.filter((verb) => verb !== "update" || change !== undefined).map((verb) => `${group}.${verb}`),
  );

const weighted = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({ weight, arbitrary });

/** Creations most of all, and the lists by which it is found out what became of them. */
const operation = fc.oneof(
  weighted(5, fc.constantFrom(...of("create"))),
  weighted(3, fc.constantFrom(...of("list"))),
  weighted(3, fc.constantFrom(...of("update", "delete"), "queues.pauseDispatch", "pipelines.archive")),
  weighted(1, fc.constantFrom(...of("get"), "queues.resumeDispatch", "accessToken.get")),
);

const slow = mishapNames.filter((mishap) => mishap.startsWith("time-out"));
const quick = mishapNames.filter((mishap) => !slow.includes(mishap));

/** Mishaps by which a refused deletion looks like one that was carried out. */
const CONFIRMATIONS = ["empty", "`{}`", "a list", "another object", "a number as id"];

const troubleBy = (mishaps: readonly string[], ...times: readonly number[]): fc.Arbitrary<Trouble> =>
  fc
    .record({
      operation,
      mishap: fc.oneof(fc.constantFrom(...mishaps), fc.constantFrom("dropped after", "429", ...lateNames)),
      after: fc.nat({ max: 1 }),
      times: fc.constantFrom(...times),
    })
    // An empty list in place of the true one is a response like any other: nothing shows that it is wrong.
    .filter(({ mishap, operation }) => !(mishap === "a list" && operation.endsWith(".list")))
    // A read may not see what was written a moment ago. The service is not that bad.
    .filter(
      ({ mishap, operation }) => !(mishap === "answer to another request" && /\.(list|get)$/.test(operation)),
    )
    // A deletion is done after a 2xx without a body or with JSON, so nothing shows that the service refused it.
    .filter(({ mishap, operation }) => !(operation.endsWith(".delete") && CONFIRMATIONS.includes(mishap)))
    // Late work is about creations: what comes late to a name that is used again is beyond every client.
    .filter(({ mishap, operation }) => !lateNames.includes(mishap) || operation.endsWith(".create"));

const trouble = fc.oneof(
  weighted(199, troubleBy(quick, 1, 1, 20)),
  // A time-out passes in real time, so it is rare; a lost connection loses as much.
  weighted(1, troubleBy(slow, 1)),
);

const act: fc.Arbitrary<Act> = fc.record({
  who: fc.constantFrom("colleague", "colleague", "second stack"),
  what: fc.oneof(
    weighted(
      9,
      fc.constantFrom<Act["what"][]>(
        "create an equal one",
        "create an equal one",
        "create a similar one",
        "change",
        "rename",
        "rename awkwardly",
        "delete",
        "delete and create an equal one",
        "pause",
        "resume",
        "archive",
        "unarchive",
      ),
    ),
    weighted(1, fc.constant<Act["what"]>("take a role away")),
  ),
  kind: fc.constantFrom(...kindNames),
  pick: fc.nat({ max: 8 }),
});

const meeting: fc.Arbitrary<Meeting> = fc.record({
  act,
  before: maybe(operation, 2),
  skip: fc.nat({ max: 3 }),
  seconds: fc.constantFrom(0, 0, 3, 90),
});

/** A creation goes wrong while others create the same: rare by chance, and where the rules are put to the test. */
const encounter = fc
  .record({
    group: fc.nat({ max: groups.length - 1 }),
    mishap: fc.constantFrom("dropped after", "dropped before", ...lateNames),
  })
  .chain(({ group, mishap }) =>
    fc
      .record({
        who: act.map(({ who }) => who),
        before: fc.constantFrom("create", "create", "list"),
        skip: fc.nat({ max: 2 }),
        seconds: fc.constantFrom(0, 3, 90),
        pick: fc.nat({ max: 2 }),
      })
      .map(({ who, before, skip, seconds, pick }) => ({
        trouble: { operation: `${groups[group]}.create`, mishap },
        meeting: {
          act: { who, what: "create an equal one" as const, kind: kindNames[group] ?? "", pick },
          before: `${groups[group]}.${before}`,
          skip,
          seconds,
        },
      })),
  );

/** A deletion fails, and the client's next try gets a 404: it may have been carried out, or may be forbidden. */
const denial = fc
  .record({ group: fc.constantFrom(...groups), first: fc.constantFrom("502 before", "502 after") })
  .map(({ group, first }) => [first, "404"].map((mishap) => ({ operation: `${group}.delete`, mishap })));

const some = fc.uniqueArray(fc.constantFrom(...slotNames), { minLength: 1, maxLength: 3 });

const up = fc.constant("up" as const);

const command: fc.Arbitrary<Command> = fc.oneof(
  weighted(8, fc.constant<Command>({ what: "up" })),
  weighted(2, fc.constant<Command>({ what: "refresh" })),
  weighted(1, fc.constant<Command>({ what: "preview" })),
  weighted(1, fc.record({ what: fc.constant("destroy" as const), target: maybe(some, 1) })),
  weighted(1, fc.record({ what: up, target: some })),
  weighted(1, fc.record({ what: up, replace: some })),
  weighted(
    1,
    fc.record({ what: up, refresh: fc.constantFrom("first" as const, "with the program" as const) }),
  ),
);

const rarely = <Value>(usually: Value, ...others: Value[]) =>
  fc.oneof(weighted(9, fc.constant(usually)), weighted(1, fc.constantFrom(...others)));

const settings: fc.Arbitrary<Settings> = fc.record({
  token: rarely<Settings["token"]>("usual", "rotated", "of another user"),
  service: rarely<Settings["service"]>("right", "right", "wrong"),
  readOnly: rarely(false, false, true),
  canceled: rarely(false, true),
});

const imported: fc.Arbitrary<ImportedSlot> = fc.record({
  slot: fc.constantFrom("imported-1", "imported-2"),
  kind: fc.constantFrom(...kindNames),
  pick: fc.nat({ max: 3 }),
  keeps: fc.boolean(),
});

/** @param most How many things may go wrong in each command. */
function chapterWith(most: number): fc.Arbitrary<Chapter> {
  return fc
    .record({
      between: fc.array(act, { maxLength: 2 }),
      meanwhile: fc.array(meeting, { maxLength: 4 }),
      encounters: fc.array(encounter, { maxLength: most === 0 ? 0 : 1 }),
      denials: fc.array(denial, { maxLength: most === 0 ? 0 : 1 }),
      program,
      renamed: fc.oneof(weighted(3, fc.constant<string[]>([])), weighted(1, some)),
      bridge: fc.constantFrom<Chapter["bridge"][]>("aliases", "nothing", "import"),
      imports: fc.uniqueArray(imported, { maxLength: 2, selector: ({ slot }) => slot }),
      command,
      settings,
      troubles: fc.array(trouble, { maxLength: most }),
    })
    .map(({ encounters, denials, meanwhile, troubles, ...chapter }) => ({
      ...chapter,
      meanwhile: [...meanwhile, ...encounters.map(({ meeting }) => meeting)],
      troubles: [...troubles, ...encounters.map(({ trouble }) => trouble), ...denials.flat()],
    }));
}

/** @param most How many things may go wrong in each command. */
export function history(most: number): fc.Arbitrary<History> {
  return fc.record({
    backend: fc.constantFrom<History["backend"][]>("dynamic", "plugin"),
    order: fc.nat({ max: 0xffff_ffff }),
    page: fc.constantFrom(100, 2),
    suiteSlug: fc.constantFrom<History["suiteSlug"][]>("kept", "changed"),
    teamResponse: fc.constantFrom<History["teamResponse"][]>("full", "submitted"),
    dates: rarely<History["dates"]>(
      undefined,
      "absent",
      ...[-3_600, 20, 3_600].flatMap((ahead) => [1, 7].map((each) => ({ ahead, each }))),
    ),
    gateway: rarely(false, true),
    chapters: fc.array(chapterWith(most), { minLength: 1, maxLength: 5 }),
  });
}

/** A short life, in which nothing waits long: for an engine that takes seconds for each command, in real time. */
export const shortHistory: fc.Arbitrary<History> = history(5).map((one) => ({
  ...one,
  chapters: one.chapters.slice(0, 2).map((chapter) => ({
    ...chapter,
    settings: { ...chapter.settings, canceled: false },
    meanwhile: chapter.meanwhile.map((meeting) => ({ ...meeting, seconds: 0 })),
    troubles: chapter.troubles.filter(({ mishap }) => !waits(mishap)),
  })),
}));

function waits(mishap: string): boolean {
  return mishap === "429" || mishap.startsWith("time-out") || mishap.includes("60000 ms");
}
