import { beforeAll, describe, expect, test } from "vitest";
import { documentAt } from "../examples/documents.js";
import { type Bucket, s3Server, startBucket } from "../support/s3-bucket.mjs";
import { closedAtEnd } from "./ending.js";
import { killAll, until } from "./killable-project.js";
import { isAlive } from "./processes.js";
import { COMMAND, Project } from "./project.js";

if (s3Server === undefined)
  console.warn(
    "NOT TESTED: state in a bucket. `node tools/dev/provided-commands.mjs versitygw` installs an S3 server for it.",
  );

const CHECKPOINT = /^PUT .*\/stacks\/platform\/production\.json/;

/** The tests follow each other: each begins where the one before it ended. */
describe.skipIf(s3Server === undefined)("State in a bucket", () => {
  let bucket: Bucket;
  let project: Project;
  let other: Project;

  beforeAll(async () => {
    bucket = closedAtEnd(await startBucket(s3Server ?? ""));
    project = await start("platform");
    other = await start("mobile");
  });

  async function start(name: string): Promise<Project> {
    const started = await Project.start();
    started.remember(bucket.environment);
    started.declare(program(name), name);
    await started.newStack("production");
    return started;
  }

  const program = (...names: readonly string[]) =>
    [
      'const { Cluster } = require("pulumi-buildpipeline");',
      ...names.map((name) => `new Cluster("${name}", { name: "${name}" });`),
    ].join("\n");
  const declare = (...names: readonly string[]) => project.write("index.js", program(...names));
  const up = "pulumi up --yes --skip-preview";
  const clusters = async (one: Project) =>
    (await one.colleague.list("/clusters")).map(({ name }) => name).sort();

  /** Starts a deployment, which waits for the response to a creation. */
  async function hanging() {
    const fault = project.emulator.fault({ operation: "clusters.create", action: "hang" });
    const engine = project.engine("up", "--yes", "--skip-preview");
    await until(() => fault.hits === 1);
    return engine;
  }

  test("two projects deploy at the same time, because the lock is that of a stack", async () => {
    await Promise.all([project.shell(up), other.shell(up)]);
    expect(await clusters(project)).toEqual(["platform"]);
    expect(await clusters(other)).toEqual(["mobile"]);
    expect(await project.shell("pulumi stack ls --all --json")).toMatch(/organization\/mobile\/production/);
  });

  test("a second deployment of a stack is refused and names the first, a preview is not", async () => {
    declare("platform", "second");
    const first = await hanging();
    expect(await project.refused(up)).toMatch(
      /the stack is currently locked by 1 lock[\s\S]*created by .*\(pid \d+\)/,
    );
    await project.pulumi("preview");
    await killAll(first);
  });

  test("the lock of a killed deployment stays until it is released as the guide says", async () => {
    expect(await project.refused(up)).toContain("the stack is currently locked by 1 lock");
    const [, cancel = ""] = /^ *(pulumi cancel)$/m.exec(documentAt("docs/guides/recover.md").text) ?? [];
    await project.shell(`${cancel} --yes`);
    await project.shell(up);
    expect(await clusters(project)).toEqual(["platform", "second"]);
  });

  test.each(["error", "reset"] as const)(
    "a request of the bucket that fails for a moment is repeated: %s",
    async (fault) => {
      let times = 2;
      bucket.fault = (request) => (CHECKPOINT.test(request) && times-- > 0 ? fault : undefined);
      declare("platform", "second", fault);
      await project.shell(up);
      expect(times).toBeLessThan(0);
      await project.unchanged();
    },
  );

  test("a lock that can't be released stays after a deployment that succeeded", async () => {
    bucket.fault = (request) => (/^DELETE .*locks/.test(request) ? "error" : undefined);
    declare("platform", "second");
    await project.shell(up);
    bucket.fault = () => undefined;
    expect(await clusters(project)).toEqual(["platform", "second"]);
    expect(await project.refused(up)).toContain("the stack is currently locked by 1 lock");
    await project.shell("pulumi cancel --yes");
    await project.unchanged();
  });

  test("a history that can't be written fails a deployment that is complete", async () => {
    bucket.fault = (request) => (/^PUT .*\/history\//.test(request) ? "error" : undefined);
    declare("platform", "second", "late");
    expect(await project.refused(up)).toMatch(/\+ 1 created[\s\S]*error: saving update info/);
    bucket.fault = () => undefined;
    await project.unchanged();
  });

  test("pulumi cancel during a deployment ends nothing: a second one gets the lock", async () => {
    declare("platform", "second", "late", "third");
    const first = await hanging();
    await project.shell("pulumi cancel --yes");
    expect(isAlive(first.pid)).toBe(true);
    await project.shell(up);
    expect(isAlive(first.pid)).toBe(true);
    await killAll(first);
    expect(await clusters(project)).toEqual(["late", "platform", "second", "third"]);
  });

  test("previews write nothing, refreshing ones included, and the command import writes the state once", async () => {
    let written: string[] = [];
    bucket.fault = (request) => {
      if (!/^(GET|HEAD) /.test(request)) written.push(request);
      return undefined;
    };
    await project.pulumi("preview", "--refresh");
    await project.pulumi("refresh", "--preview-only");
    expect(written).toEqual([]);
    const importing = async (...names: readonly string[]) => {
      for (const name of names) await project.colleague.sends("POST", "/clusters", { name });
      declare("platform", "second", "late", "third", ...names);
      written = [];
      project.write("pairs", names.map((name) => `Cluster ${name} ${name}\n`).join(""));
      await project.shell(`${COMMAND} import --file pairs --yes`);
      return written.filter((request) => CHECKPOINT.test(request)).length;
    };
    const one = await importing("one");
    expect(one).toBeGreaterThan(0);
    expect(await importing("one-of-four", "two-of-four", "three-of-four", "four-of-four")).toBe(one);
    bucket.fault = () => undefined;
    declare("platform", "second", "late", "third");
    await project.shell(up);
  });

  test("a bucket that fails for good leaves a creation that `recover` finds, and no lock", async () => {
    const names = ["late", "lost", "platform", "second", "third"];
    project.emulator.clearRequests();
    bucket.fault = (request) => {
      const isSent = project.emulator.requests.some(({ operation }) => operation === "clusters.create");
      return isSent && CHECKPOINT.test(request) ? "reset" : undefined;
    };
    declare(...names);
    expect(await project.refused(up)).toMatch(/error: writing snapshot: failed to save snapshot/);
    bucket.fault = () => undefined;
    const found = await project.shell(`! ${COMMAND} recover`);
    expect(found).toMatch(/^Creation interrupted .*::lost\n +No state has lost \(/m);
    expect(await project.shell(`${COMMAND} recover --yes`)).toMatch(/^Imported urn:.*::lost$/m);
    await project.shell(`${up} --expect-no-changes`);
    expect(await clusters(project)).toEqual(names);
  });
});
