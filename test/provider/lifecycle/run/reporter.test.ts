import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Reporter } from "../../../../src/provider/lifecycle/run/reporter.js";
import { serviceForEach } from "../../../support/driver.js";
import { foreignText, OBEYED, specials } from "../../../support/foreign-text.js";

afterEach(() => vi.restoreAllMocks());

describe("Where nobody takes messages", () => {
  test("a warning, a remark and a wait are lines on standard error", () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const reporter = new Reporter({});
    reporter.warn("of two\nlines");
    reporter.inform("a remark\nof two lines");
    reporter.progress("a wait");
    expect(written).toEqual([
      expect.stringMatching(/^warning: of two[^\n]*lines\n$/),
      expect.stringMatching(/^a remark[^\n]*of two lines\n$/),
      "warning: a wait\n",
    ]);
  });
});

describe("Where somebody takes messages", () => {
  test("each goes where it belongs, and what concerns all resources goes once", () => {
    const taken: string[] = [];
    const reporter = new Reporter({
      warn: (text) => taken.push(`warn ${text}`),
      inform: (text) => taken.push(`inform ${text}`),
      progress: (text) => taken.push(`progress ${text}`),
    });
    reporter.warnOnce("a");
    reporter.warnOnce("b");
    reporter.warnOnce("a");
    reporter.warn("a");
    reporter.inform("c");
    reporter.progress("d");
    expect(taken).toEqual(["warn a", "warn b", "warn a", "inform c", "progress d"]);
  });
});

describe("The engine shows lines of the dynamic backend without their resource, so each names its own", () => {
  const service = serviceForEach();
  const __secrets: string[] = [];

  test("where the same is wrong with several", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux", __secrets });
    const expiresAt = new Date(service.clock.now() + 3 * 86_400_000).toISOString();
    const run = service.newRun();
    await run.plan(cluster);
    for (const description of ["farm", "field"])
      await run.create("AgentToken", { clusterId: cluster.id, description, expiresAt, __secrets });
    await run.create("AgentToken", {
      ...{ clusterId: cluster.id, description: "hidden", expiresAt, __secrets: ["description"] },
    });
    const said = `: AgentToken.expiresAt: is ${expiresAt}, at most 14 days ahead`;
    expect(run.warnings).toEqual([
      expect.stringContaining(`agent token "farm" of cluster "Linux"${said}`),
      expect.stringContaining(`agent token "field" of cluster "Linux"${said}`),
      expect.stringContaining(`agent token of cluster "Linux"${said}`),
    ]);
  });

  test("in a preview, and in a refresh", async () => {
    const args = {
      repository: "git@git.example:a.git",
      clusterId: "",
      configuration: "steps: []",
      __secrets,
    };
    const made = [];
    for (const name of ["Shop", "Web"])
      made.push(await service.driver.create("Pipeline", { ...args, name, archived: true }));
    const run = service.newRun();
    for (const one of made) await run.plan(one, { ...one.inputs, archived: false });
    expect(run.warnings).toEqual([
      expect.stringMatching(/^pipeline "Shop": Pipeline\.archived: .*becomes active/),
      expect.stringMatching(/^pipeline "Web": Pipeline\.archived: .*becomes active/),
    ]);
    // A refresh compares without a check, from what it read to what the state has.
    const backwards = service.newRun();
    for (const one of made) await backwards.diff(one, { archived: false });
    expect(backwards.warnings).toEqual([]);
    for (const slug of ["shop", "web"]) {
      await service.colleague.sends("POST", `/pipelines/${slug}/unarchive`);
      await service.colleague.sends("PATCH", `/pipelines/${slug}`, { slug: `${slug}-2` });
    }
    const refresh = service.newRun();
    for (const one of made) await refresh.read(one);
    expect([...refresh.warnings, ...refresh.observed]).toEqual([
      expect.stringMatching(/^pipeline "Shop": its slug was "shop" and is "shop-2" now/),
      expect.stringMatching(/^pipeline "Web": its slug was "web" and is "web-2" now/),
      expect.stringMatching(/^pipeline "Shop": the API doesn't return what was created seconds ago/),
    ]);
  });
});

test("Whatever a message quotes, nothing obeys it: no terminal, no CI system, and not Pulumi's CLI", () => {
  const taken: string[] = [];
  const take = (text: string) => void taken.push(text);
  const reporter = new Reporter({ warn: take, inform: take, progress: take });
  fc.assert(
    fc.property(foreignText, (foreign) => {
      reporter.warn(foreign);
      reporter.inform(foreign);
      reporter.progress(foreign);
      for (const text of taken.splice(0)) expect(text).not.toMatch(OBEYED);
    }),
    { examples: specials.map((sign) => [sign]), numRuns: 200 },
  );
});
