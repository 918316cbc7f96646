import fc from "fast-check";
import { mishaps } from "./faults.js";
import type { Declared, Program } from "./model-engine.js";

/** Something that a colleague does by hand, to what a resource made or beside it. */
export interface ByHand {
  readonly what: "change" | "delete" | "pause" | "resume" | "twin";
  /** The resource of the program whose object it is about. */
  readonly to: string;
}

/** Something that goes wrong in one command. */
export interface Trouble {
  readonly operation: string;
  /** The name of one in faults.ts. */
  readonly mishap: string;
  /** How many requests of the operation go well before. */
  readonly after: number;
  /** How many go wrong then. */
  readonly times: number;
}

/** One command, with what happened before it and what goes wrong in it. */
export interface Chapter {
  readonly byHand: readonly ByHand[];
  readonly program: Program;
  readonly command: "up" | "refresh" | "preview";
  readonly troubles: readonly Trouble[];
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** Names are few, so that twins are frequent, and are no part of any message that is about something else. */
const name = fc.constantFrom("alpha-unit", "beta-unit");
/** No two teams have one name. */
const teamName = (slot: string) => fc.constantFrom(`${slot}-alpha`, `${slot}-beta`);
const description = maybe(fc.constantFrom("first words", "second words"));
const cluster = fc.constantFrom("cluster-1", "cluster-2");
const idOf = (to: string) => ({ idOf: to });

const defined = (args: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

const declared = (
  slot: string,
  kind: string,
  args: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Declared> => fc.record(args).map((values) => ({ name: slot, kind, args: defined(values) }));

const queueIn = (slot: string) =>
  declared(slot, "Queue", {
    clusterId: cluster.map(idOf),
    key: fc.constantFrom(`${slot}-key`, `${slot}-other-key`),
    description,
    dispatchPaused: maybe(fc.boolean()),
    dispatchPausedNote: maybe(fc.constant("freeze")),
  });

const tokenIn = (slot: string) =>
  declared(slot, "AgentToken", {
    clusterId: cluster.map(idOf),
    description: name,
    allowedIpAddresses: maybe(fc.constantFrom(["10.0.0.0/8"], ["192.0.2.7"])),
    triggers: maybe(fc.constantFrom({ turn: 1 }, { turn: 2 })),
  });

/** Resources in an order in which each comes after what it refers to; any of them may be left out. */
const slots: readonly fc.Arbitrary<Declared>[] = [
  // Colleagues put objects into clusters, which then can't be deleted without it.
  declared("cluster-1", "Cluster", { name, description, forceDestroy: fc.constant(true) }),
  declared("cluster-2", "Cluster", { name, description, forceDestroy: fc.constant(true) }),
  queueIn("queue-1"),
  queueIn("queue-2"),
  declared("default-1", "ClusterDefaultQueue", { queueId: fc.constantFrom("queue-1", "queue-2").map(idOf) }),
  tokenIn("token-1"),
  tokenIn("token-2"),
  declared("template-1", "PipelineTemplate", {
    name,
    configuration: fc.constantFrom("steps: []\n", { steps: ["wait"] }),
    description,
    available: fc.constant(true),
  }),
  declared("team-1", "Team", { name: teamName("team-1"), description, isDefaultTeam: maybe(fc.boolean()) }),
  declared("team-2", "Team", { name: teamName("team-2"), description }),
  declared("suite-1", "Suite", { name, defaultBranch: fc.constantFrom("main", "trunk") }),
];

const program: fc.Arbitrary<Program> = fc
  .tuple(...slots.map((slot) => fc.option(slot, { nil: undefined, freq: 3 })))
  .map((chosen) => coherent(chosen.filter((resource) => resource !== undefined)));

/** Without what refers to something that is not there. The default queue is one of its own cluster. */
function coherent(resources: readonly Declared[]): Program {
  const kept = new Map<string, Declared>();
  for (const resource of resources) {
    const references = Object.values(resource.args).flatMap((value) =>
      typeof value === "object" && value !== null && "idOf" in value ? [String(value.idOf)] : [],
    );
    if (!references.every((to) => kept.has(to))) continue;
    const queue = kept.get(references[0] ?? "");
    const around = resource.kind === "ClusterDefaultQueue" ? { clusterId: queue?.args.clusterId } : {};
    kept.set(resource.name, { ...resource, args: { ...around, ...resource.args } });
  }
  return [...kept.values()];
}

const sections = ["clusters", "queues", "agentTokens", "pipelineTemplates", "teams", "suites"];
const of = (...verbs: readonly string[]) =>
  sections.flatMap((section) => verbs.map((verb) => `${section}.${verb}`));

/** Creations most of all, and the lists by which it is found out what became of them. */
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...of("create")) },
  { weight: 3, arbitrary: fc.constantFrom(...of("list")) },
  { weight: 2, arbitrary: fc.constantFrom(...of("update", "delete"), "queues.pauseDispatch") },
  { weight: 1, arbitrary: fc.constantFrom(...of("get"), "queues.resumeDispatch", "accessToken.get") },
);

const names = mishaps.map((mishap) => mishap.name);
const slow = names.filter((mishap) => mishap.startsWith("time-out"));
const quick = names.filter((mishap) => !slow.includes(mishap));

const troubleBy = (mishaps: readonly string[], ...times: readonly number[]): fc.Arbitrary<Trouble> =>
  fc
    .record({
      operation,
      mishap: fc.constantFrom(...mishaps),
      after: fc.nat({ max: 1 }),
      times: fc.constantFrom(...times),
    })
    // An empty list in place of the true one is an answer like any other: nobody can notice that it is wrong.
    .filter((trouble) => !(trouble.mishap === "a list" && trouble.operation.endsWith(".list")));

const trouble = fc.oneof(
  { weight: 99, arbitrary: troubleBy(quick, 1, 1, 20) },
  // A time-out passes in real time, so it is rare; a lost connection loses as much.
  { weight: 1, arbitrary: troubleBy(slow, 1) },
);

/** Where all waits pass in real time: nothing that waits long. */
const passing = troubleBy(
  quick.filter((mishap) => mishap !== "429"),
  1,
  1,
  1,
  5,
);

const byHand: fc.Arbitrary<ByHand> = fc.record({
  what: fc.constantFrom("change", "delete", "pause", "resume", "twin"),
  to: fc.constantFrom("cluster-1", "queue-1", "queue-2", "token-1", "template-1", "team-1", "suite-1"),
});

/**
 * A life of a stack: some commands, most of them updates, with changes by hand before.
 *
 * @param most How many things may go wrong in each command.
 */
export function history(most: number): fc.Arbitrary<readonly Chapter[]> {
  return fc.array(chapterWith(fc.array(trouble, { maxLength: most })), { minLength: 1, maxLength: 5 });
}

/** A short life, in which nothing waits long: for an engine that takes seconds for each command. */
export const shortHistory: fc.Arbitrary<readonly Chapter[]> = fc.array(
  chapterWith(fc.array(passing, { minLength: 3, maxLength: 10 })),
  { minLength: 1, maxLength: 2 },
);

function chapterWith(troubles: fc.Arbitrary<readonly Trouble[]>): fc.Arbitrary<Chapter> {
  return fc.record({
    byHand: fc.array(byHand, { maxLength: 2 }),
    program,
    command: fc.constantFrom("up", "up", "up", "refresh", "preview"),
    troubles,
  });
}
