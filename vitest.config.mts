import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { clearEnvironment, downloads } from "./test/support/environment.mjs";

// Tests on the engine install packages.
const env = downloads();
clearEnvironment();
process.env.SEED ??= ofCommit();

// Every test file is a process, and some start more: Node compiles what they load once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, ".buildpipeline", "compile-cache");

/** Returns a number that each commit changes, by which tests choose the cases that they play and the random values. */
function ofCommit(): string {
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" });
  return String(Number.parseInt(stdout?.slice(0, 8) || "0", 16));
}

/** The long tests that take minutes, the longest first. */
const LONGEST = [
  ...["examples", "install-typescript", "s3-backend", "rotations", "gitops-projects", "recover", "gitops"],
  ...["adopt-next-steps", "gitops-kills", "readme", "guides", "recipes"],
];

/** A fresh clone doesn't know what takes long, so Vitest begins with the largest files, and waits for the longest ones in the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.long.test.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

const setupFiles = ["test/support/seed.ts", "test/support/each-file.ts"];

const source = join(import.meta.dirname, "src/");
const dist = join(import.meta.dirname, "dist/");

/**
 * Leads everything else from the sources to what was just built of them (tools/dev/task.mjs), which the commands in tests
 * run as well, so that a process loads few modules twice.
 */
const built: Plugin = {
  name: "built",
  enforce: "pre",
  resolveId(id, importer = "") {
    if (importer.startsWith(source) || !/\/src\/.*\.js$/.test(id)) return undefined;
    const path = resolve(dirname(importer), id);
    return path.startsWith(source) ? path.replace(source, dist) : undefined;
  },
};
const plugins = process.env.BUILT === undefined ? [] : [built];
const server = { deps: { external: [new RegExp(`^${dist.replaceAll(/[^\w/]/g, "\\$&")}`)] } };

/** More than the two cores of a small machine: many tests wait for a process, or for time to pass. */
const maxWorkers = 3;

const engine = {
  isolate: false,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  maxWorkers,
  globalSetup: "test/engine/quick-start.ts",
  setupFiles,
  server,
  env,
};

/** Tests on the SDK of Pulumi, whose mocks and settings last as long as its module: in a process apart from the others. */
const programs = [
  "provider/functions/*",
  "provider/native/*",
  "provider/program/*",
  "provider/resources/*",
].map((name) => `test/${name}.test.ts`);

/** Tests of the repository itself: budgets of words, maps, generated pages, and files of CI. */
const repository = [
  "examples/{agents,cli-range,index-of-documents,kinds,languages,map,operations,readme,reference}",
  "shared/protocol/one-place",
  "tools/{task,package/place-rows,package/workflows}",
].map((name) => `test/${name}.test.ts`);

const fast = {
  setupFiles: [...setupFiles, "test/support/tables.ts"],
  server,
  maxWorkers,
  // Concurrent tests are those of requests that hang, which wait most of the time.
  maxConcurrency: 30,
  // A limit for tests that hang, far from what a busy machine needs: a right test that ran out of time fails a whole run.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // By default, Vitest polls for a second only.
  expect: { poll: { timeout: 120_000 } },
};

/**
 * Five projects. `fast` and `programs` need only Node. The files of a project share processes, so that each module is
 * loaded once. `repository` is a part of `npm run check`. `engine` and `long` run the Pulumi CLI: `engine` shows each
 * capability once, `long` has everything else.
 * All test the package as users get it: the built output, by its public names.
 */
export default defineConfig({
  test: {
    reporters: ["./test/support/progress.ts"],
    sequence: { sequencer: LongestFirst },
    coverage: {
      // Vitest's own, installed by `npm test -- coverage` only.
      provider: "custom",
      customProviderModule: "./tools/dev/coverage/node_modules/@vitest/coverage-v8/dist/index.js",
      // Tests load what is built of the sources, which Vitest maps to them.
      include: ["src/**", "dist/**/*.js"],
      reporter: ["text-summary", "html"],
      reportsDirectory: ".buildpipeline/coverage",
      reportOnFailure: true,
    },
    projects: [
      {
        plugins,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: ["test/engine/**", "**/*.long.test.ts", ...programs, ...repository],
          isolate: false,
          ...fast,
        },
      },
      {
        plugins,
        test: {
          name: "repository",
          include: repository,
          isolate: false,
          ...fast,
          // One process, which reads the source for the compiler once.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      { plugins, test: { name: "programs", include: programs, isolate: false, ...fast } },
      {
        plugins,
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts"],
          exclude: ["**/*.long.test.ts"],
          ...engine,
        },
      },
      {
        test: {
          name: "long",
          include: ["test/**/*.long.test.ts"],
          ...engine,
          // Many of these wait for packages or a server's next try: with three at a time, a core is idle now and then.
          maxWorkers: 4,
          // Projects of another number run at another time.
          sequence: { groupOrder: 1 },
          // Some install packages, or compile a generated SDK.
          testTimeout: 1_200_000,
          hookTimeout: 1_200_000,
        },
      },
    ],
  },
});
