import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { buildpipeline } from "../../support/command.js";
import { many, previewOf } from "../plan/brakes.js";
import { repository, repositoryForEach } from "./repository.js";

repositoryForEach(["queues", "pipelines"]);

const deleted = (project: string) => previewOf(many(43, { does: "delete" }), project);
/**
 * Previews two stacks, of which one deletes all that it has.
 *
 * @param last the commit of its last deployment. Default: none is known
 * @returns the key that its report prints
 */
const planned = async (last?: string) => {
  const environment = { "git.head": last, "git.dirty": "false" };
  const history = last === undefined ? [] : [{ kind: "update", result: "succeeded", environment }];
  repository.plays({
    "queues preview": { stdout: deleted("acme-queues") },
    "queues stack history": { stdout: history },
  });
  await repository.ci("preview --stack production");
  const { code, key } = JSON.parse(repository.read("acme-queues.production", "outcome.json"));
  expect(code).toBe("brake");
  return String(key);
};
const deploy = (args = "") => repository.outcomes(`deploy --stack production ${args}`.trim());
const deployed = () => repository.calls().filter((line) => / up /.test(line)).length;
/** Rewrites the last commit's message. The key is of the plan, and not of the commit. */
const amend = (message: string) => repository.git("commit", "--quiet", "--amend", "--message", message);

describe("the brake of buildpipeline ci deploy", () => {
  test("sends nothing for any stack, and deploys both with the key", async () => {
    const key = await planned();
    const { code, outcomes, ends } = await deploy();
    expect({ code, ends, deployed: deployed() }).toEqual({
      code: 4,
      ends: { queues: "refused", pipelines: "refused" },
      deployed: 0,
    });
    expect(outcomes.find(({ folder }) => folder === "queues")).toMatchObject({
      code: "brake",
      key,
      reason: "None of today's 43 objects remains (all are archived).",
      next: expect.stringContaining(`--allow-deletions ${key}`),
    });
    const allowed = await deploy(`--allow-deletions 1-000000 --allow-deletions ${key}`);
    expect({ code: allowed.code, deployed: deployed() }).toEqual({ code: 0, deployed: 2 });
  });

  test("takes no key of another plan, and no word that is no key", async () => {
    await planned();
    expect((await deploy("--allow-deletions 43-000000")).code).toBe(4);
    const { code, stderr } = await repository.ci("deploy --stack production --allow-deletions all");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("--allow-deletions: all is no key."),
    });
    expect(deployed()).toBe(0);
  });

  test("takes the key in the message of a squash", async () => {
    const key = await planned();
    amend(`Remove all\n\n* Nobody needs them\n\n* Allow-deletions: ${key}\n`);
    expect(await planned()).toBe(key);
    expect((await deploy()).code).toBe(0);
  });

  test("takes the key in a message that came with a merge, and none of before", async () => {
    const key = await planned();
    const words = `Remove all\n\nAllow-deletions: ${key}`;
    amend(words);
    repository.commit({ "queues/index.ts": "// Later\n" });
    await planned();
    expect((await deploy()).code).toBe(4);
    repository.git("checkout", "--quiet", "-b", "removal");
    repository.git("commit", "--quiet", "--allow-empty", "--message", words);
    repository.commit({ "queues/index.ts": "// Nothing\n" });
    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "--no-ff", "--message", "Merge", "removal");
    await planned();
    expect((await deploy()).code).toBe(0);
  });

  test("takes the key in any message since the last deployment, as after a rebase merge, and in none of before", async () => {
    const key = await planned();
    repository.git("commit", "--quiet", "--allow-empty", "--message", `Remove\n\nAllow-deletions: ${key}`);
    const removed = repository.git("rev-parse", "HEAD").trim();
    repository.commit({ "queues/index.ts": "// Of the same pull request\n" });
    await planned(removed);
    expect((await deploy()).code).toBe(4);
    await planned(repository.git("rev-parse", "HEAD~2").trim());
    expect((await deploy()).code).toBe(0);
  });

  test("says that a shallow clone lacks messages, which allow nothing", async () => {
    const key = await planned();
    amend(`Remove all\n\nAllow-deletions: ${key}`);
    repository.commit({ "queues/index.ts": "// Later\n" });
    const clone = repository.scratch.path("shallow");
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${repository.root}`, clone]);
    const ci = (args: string) =>
      buildpipeline(["ci", ...args.split(" ")], { cwd: clone, env: repository.env() });
    await ci("preview --stack production");
    const { code, stdout } = await ci("deploy --stack production");
    expect({ code, stdout }).toEqual({
      code: 4,
      stdout: expect.stringContaining(
        "This clone is shallow: messages of commits that it lacks allow nothing.",
      ),
    });
  });
});
