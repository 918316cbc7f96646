import {
  DefaultReporter,
  type SerializedError,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
} from "vitest/node";
import { commandsOf } from "../engine/counted-commands.js";
import { isShort, isWhole, seed } from "./cases.js";

/** The projects of vitest.config.mts, and the command that runs each. */
const COMMANDS: Readonly<Record<string, string>> = {
  fast: "npm test -- fast",
  programs: "npm test -- fast",
  repository: "npm run check",
  engine: "npm test -- engine",
  long: "npm test -- long",
};

/** Prints a line for each file as it ends, with how many of how many are done, and in the end what ran. */
export default class Progress extends DefaultReporter {
  #files = 0;
  #ended = 0;
  #commands = 0;
  readonly #ran = new Set<string>();

  constructor() {
    super({ summary: false });
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#files = specifications.length;
    for (const { project } of specifications) this.#ran.add(project.name);
  }

  protected override printTestModule(testModule: TestModule): void {
    this.#ended += 1;
    const tests = [...testModule.children.allTests()];
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const [failed, skipped] = [inState("failed"), inState("skipped").length];
    const { collectDuration, duration, setupDuration } = testModule.diagnostic();
    const seconds = ((collectDuration + setupDuration + duration) / 1000).toFixed(1);
    const wide = String(this.#files).length;
    // Where a hook fails, or the file doesn't load, Vitest skips the tests.
    const passed = testModule.ok() ? `${inState("passed").length} passed` : "FAILED outside of its tests";
    const ended = failed.length === 0 ? passed : `${failed.length} of ${tests.length} FAILED`;
    const count = skipped === 0 ? ended : `${ended}, ${skipped} skipped`;
    const place = `${String(this.#ended).padStart(wide)}/${this.#files}`;
    const commands = commandsOf(testModule.moduleId);
    this.#commands += commands;
    const engine = commands === 0 ? "" : `  ${commands} commands`;
    const { project, relativeModuleId } = testModule;
    this.log(`${place}  ${project.name}  ${relativeModuleId}  ${count}${engine}  ${seconds} s`);
    for (const test of failed) this.log(`${" ".repeat(place.length)}  ✗ ${test.fullName}`);
    const notes = tests.flatMap((test) => {
      const result = test.result();
      return result.state === "skipped" && result.note !== undefined ? [result.note] : [];
    });
    for (const [note, { length }] of Map.groupBy(notes, String))
      this.log(`${" ".repeat(place.length)}  ${length} skipped: ${note}`);
  }

  override onTestRunEnd(
    testModules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(testModules, errors, reason);
    const others = Object.keys(COMMANDS).filter((name) => !this.#ran.has(name));
    const rest = others.map((name) => `${COMMANDS[name]} (${name})`);
    const engine = this.#commands === 0 ? "" : `, with ${this.#commands} commands of the Pulumi CLI`;
    this.log(`Ran the projects ${[...this.#ran].sort().join(" and ")}${engine}.`);
    if (reason === "failed")
      this.log(`The same again: SEED=${seed} npm test -- ${isWhole ? "whole " : ""}<part of a path>.`);
    const some = isShort ? "Of tables, and of the longest tests" : "Of the longest tests";
    if (!isWhole) this.log(`${some}, some cases ran. Every case: npm test -- whole.`);
    if (rest.length > 0) this.log(`Not run: ${rest.join(", ")}. Everything: npm run test:all.`);
  }
}
