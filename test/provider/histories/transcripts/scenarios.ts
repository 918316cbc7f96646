import type { Flags } from "../engine/engine.js";
import type { Declared, Program } from "../program.js";

/** One command. */
export interface TranscriptStep {
  readonly command: "up" | "preview" | "refresh" | "destroy";
  readonly program: Program;
  readonly flags?: Flags;
}

/** Commands whose calls of a provider are recorded. */
export interface TranscriptScenario {
  readonly title: string;
  /** Whether some resources do not depend on each other: the engine works on these at the same time. */
  readonly parallel?: boolean;
  readonly steps: readonly TranscriptStep[];
}

type Args = Readonly<Record<string, unknown>>;

const thing = (name: string, args: Args = {}, options: Partial<Declared> = {}): Declared => ({
  name,
  kind: "Thing",
  args: { key: name, ...args },
  ...options,
});
const of = (to: string) => ({ of: { idOf: to } });

const a = thing("a");
const b = thing("b", of("a"));
const c = thing("c", of("b"));
const chain = [a, b, c];
const changed = (value: string) => thing("a", { value });

const up = (program: Program, flags?: Flags): TranscriptStep => ({
  command: "up",
  program,
  ...(flags && { flags }),
});
const preview = (program: Program, flags?: Flags): TranscriptStep => ({
  ...up(program, flags),
  command: "preview",
});
const refresh = (flags?: Flags): TranscriptStep => ({ ...up([], flags), command: "refresh" });
const destroy = (flags?: Flags): TranscriptStep => ({ ...up([], flags), command: "destroy" });

/** Every way in which the engine calls a provider, as far as histories use it. */
export const transcriptScenarios: readonly TranscriptScenario[] = [
  { title: "create", steps: [up(chain)] },
  { title: "preview of a creation", steps: [preview(chain)] },
  { title: "unchanged", steps: [up(chain), up(chain)] },
  {
    title: "update, and its preview",
    steps: [up([a, b]), preview([changed("1"), b]), up([changed("1"), b])],
  },
  { title: "failed update", steps: [up([a]), up([thing("a", { fails: "update" })])] },
  { title: "replace", steps: [up([a, b]), up([thing("a", { key: "other" }), b])] },
  { title: "preview of a replacement", steps: [up([a, b]), preview([thing("a", { key: "other" }), b])] },
  {
    title: "replacement whose creation fails, then succeeds",
    steps: [up([a]), up([thing("a", { key: "other", fails: "create" })]), up([thing("a", { key: "other" })])],
  },
  {
    title: "delete before replace, with dependents",
    steps: [up(chain), up([thing("a", { key: "other", first: true }), b, c])],
  },
  {
    title: "delete before replace by the option",
    steps: [up([a]), up([thing("a", { key: "other" }, { deleteBeforeReplace: true })])],
  },
  {
    title: "delete before replace whose creation fails, then succeeds",
    steps: [
      up([a]),
      up([thing("a", { key: "other", first: true, fails: "create" })]),
      up([thing("a", { key: "other", first: true })]),
    ],
  },
  {
    title: "delete before replace whose creation fails, then a refresh and a destroy",
    steps: [up([a]), up([thing("a", { key: "other", first: true, fails: "create" })]), refresh(), destroy()],
  },
  { title: "rename", steps: [up([a]), up([thing("a2", { key: "a" })])] },
  {
    title: "rename with aliases",
    steps: [up([a, b]), up([thing("a2", { key: "a" }, { alias: "a" }), thing("b", of("a2"))])],
  },
  { title: "delete", steps: [up(chain), up([a])] },
  {
    title: "failed deletion ends the deletions",
    steps: [up([a, b, thing("c", { ...of("b"), fails: "delete" })]), up([])],
  },
  { title: "destroy in layers", parallel: true, steps: [up([a, b, thing("d", of("a"))]), destroy()] },
  {
    title: "failed destroy, with what does not depend on it",
    parallel: true,
    steps: [up([a, thing("b", { ...of("a"), fails: "delete" }), thing("x")]), destroy(), destroy()],
  },
  {
    title: "up --target",
    steps: [up([a, b]), up([changed("1"), thing("b", { ...of("a"), value: "1" })], { target: ["a"] })],
  },
  { title: "up --target of something new", steps: [up([a]), up([a, b, thing("y")], { target: ["b"] })] },
  {
    title: "up --target of something that the program lacks",
    steps: [up([a, b]), up([a], { target: ["b"] })],
  },
  { title: "destroy --target of a leaf", steps: [up([a, b]), destroy({ target: ["b"] })] },
  { title: "destroy --target of what others need", steps: [up([a, b]), destroy({ target: ["a"] })] },
  { title: "up --replace", steps: [up([a]), up([a], { replace: ["a"] })] },
  { title: "preview --replace", steps: [up([a]), preview([a], { replace: ["a"] })] },
  { title: "refresh", steps: [up([a, b]), refresh()] },
  {
    title: "refresh that finds drift and a deletion",
    parallel: true,
    steps: [
      up([thing("a", { value: "drifts" }), thing("z", { value: "deleted" })]),
      refresh(),
      up([thing("a", { value: "drifts" })]),
    ],
  },
  {
    title: "refresh of which one read fails",
    parallel: true,
    steps: [up([thing("a", { fails: "read" }), thing("z")]), refresh()],
  },
  { title: "refresh --target", steps: [up([a, b]), refresh({ target: ["b"] })] },
  { title: "up --refresh", steps: [up([a]), up([changed("1")], { refresh: "first" })] },
  {
    title: "up --refresh --run-program",
    steps: [up([a, b]), up([changed("1"), b], { refresh: "with the program" })],
  },
  { title: "failed creation", steps: [up([a, thing("b", { ...of("a"), fails: "create" }), c])] },
  { title: "failed check", steps: [up([a, thing("b", { ...of("a"), fails: "check" }), c])] },
  {
    title: "initialization error, then an update",
    steps: [
      up([thing("a", { fails: "initialization" }), b]),
      up([thing("a", { fails: "initialization" }), b]),
      up([a, b]),
    ],
  },
  { title: "get", parallel: true, steps: [up([thing("g", {}, { get: "id-g" }), a]), up([a])] },
  { title: "get that becomes managed", steps: [up([thing("g", {}, { get: "id-g" })]), up([thing("g")])] },
];
