import type { Flags } from "../engine/engine.js";
import type { Declared, Program } from "../program.js";

export interface TranscriptStep {
  readonly command: "up" | "preview" | "refresh" | "destroy";
  readonly program: Program;
  readonly flags?: Flags;
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
export const transcriptScenarios: Readonly<Record<string, readonly TranscriptStep[]>> = {
  create: [up(chain)],
  "preview of a creation": [preview(chain)],
  unchanged: [up(chain), up(chain)],
  "update, and its preview": [up([a, b]), preview([changed("1"), b]), up([changed("1"), b])],
  "failed update": [up([a]), up([thing("a", { fails: "update" })])],
  replace: [up([a, b]), up([thing("a", { key: "other" }), b])],
  "preview of a replacement": [up([a, b]), preview([thing("a", { key: "other" }), b])],
  "replacement whose creation fails, then succeeds": [
    up([a]),
    up([thing("a", { key: "other", fails: "create" })]),
    up([thing("a", { key: "other" })]),
  ],
  "delete before replace, with dependents": [
    up(chain),
    up([thing("a", { key: "other", first: true }), b, c]),
  ],
  "delete before replace by the option": [
    up([a]),
    up([thing("a", { key: "other" }, { deleteBeforeReplace: true })]),
  ],
  "delete before replace whose creation fails, then succeeds": [
    up([a]),
    up([thing("a", { key: "other", first: true, fails: "create" })]),
    up([thing("a", { key: "other", first: true })]),
  ],
  "delete before replace whose creation fails, then a refresh and a destroy": [
    up([a]),
    up([thing("a", { key: "other", first: true, fails: "create" })]),
    refresh(),
    destroy(),
  ],
  rename: [up([a]), up([thing("a2", { key: "a" })])],
  "rename with aliases": [up([a, b]), up([thing("a2", { key: "a" }, { alias: "a" }), thing("b", of("a2"))])],
  delete: [up(chain), up([a])],
  "failed deletion ends the deletions": [up([a, b, thing("c", { ...of("b"), fails: "delete" })]), up([])],
  "destroy in layers": [up([a, b, thing("d", of("a"))]), destroy()],
  "failed destroy, with what does not depend on it": [
    up([a, thing("b", { ...of("a"), fails: "delete" }), thing("x")]),
    destroy(),
    destroy(),
  ],
  "up --target": [up([a, b]), up([changed("1"), thing("b", { ...of("a"), value: "1" })], { target: ["a"] })],
  "up --target of something new": [up([a]), up([a, b, thing("y")], { target: ["b"] })],
  "up --target of something that the program lacks": [up([a, b]), up([a], { target: ["b"] })],
  "destroy --target of a leaf": [up([a, b]), destroy({ target: ["b"] })],
  "destroy --target of what others need": [up([a, b]), destroy({ target: ["a"] })],
  "up --replace": [up([a]), up([a], { replace: ["a"] })],
  "preview --replace": [up([a]), preview([a], { replace: ["a"] })],
  refresh: [up([a, b]), refresh()],
  "refresh that finds drift and a deletion": [
    up([thing("a", { value: "drifts" }), thing("z", { value: "deleted" })]),
    refresh(),
    up([thing("a", { value: "drifts" })]),
  ],
  "refresh of which one read fails": [up([thing("a", { fails: "read" }), thing("z")]), refresh()],
  "refresh --target": [up([a, b]), refresh({ target: ["b"] })],
  "up --refresh": [up([a]), up([changed("1")], { refresh: "first" })],
  "up --refresh --run-program": [up([a, b]), up([changed("1"), b], { refresh: "with the program" })],
  "failed creation": [up([a, thing("b", { ...of("a"), fails: "create" }), c])],
  "failed check": [up([a, thing("b", { ...of("a"), fails: "check" }), c])],
  "initialization error, then an update": [
    up([thing("a", { fails: "initialization" }), b]),
    up([thing("a", { fails: "initialization" }), b]),
    up([a, b]),
  ],
  get: [up([thing("g", {}, { get: "id-g" }), a]), up([a])],
  "get that becomes managed": [up([thing("g", {}, { get: "id-g" })]), up([thing("g")])],
};

/** Those with resources that do not depend on each other: the engine works on these at the same time. */
export const parallelScenarios: ReadonlySet<string> = new Set([
  "destroy in layers",
  "failed destroy, with what does not depend on it",
  "refresh that finds drift and a deletion",
  "refresh of which one read fails",
  "get",
]);
