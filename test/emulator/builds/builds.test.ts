import { beforeEach, describe, expect, test } from "vitest";
import { Api, type Entity } from "../api.js";

let time: number;
beforeEach(() => {
  time = Date.parse("2030-01-01T00:00:00Z");
});
const api = Api.forEach({ clock: () => new Date(time) });

const builds = "/pipelines/storefront/builds";
const commit = "0123456789abcdef0123456789abcdef01234567";

const create = (fields: object = {}) => api.entity("POST", builds, { commit, branch: "main", ...fields });
const numbers = (entities: readonly Entity[]) => entities.map(({ number }) => number);

describe("a build", () => {
  test("is created in state scheduled, with a job for each step", async () => {
    expect(await create()).toMatchObject({
      number: 7,
      state: "scheduled",
      blocked: false,
      source: "api",
      creator: { name: "Ada Archer" },
      jobs: [
        { name: "Lint", state: "scheduled", agent: null },
        { name: "Test", state: "scheduled", agent: null },
      ],
    });
  });

  test.each([
    [{ commit: undefined }, { field: "commit", code: "missing_field" }],
    [{ branch: "" }, { field: "branch", code: "missing_field" }],
    [{ env: { A: 1 } }, { field: "env", code: "invalid" }],
    [{ pull_request_id: "12" }, { field: "pull_request_id", code: "invalid" }],
    [{ author: "Ada" }, { field: "author", code: "invalid" }],
    [{ clean_checkout: "yes" }, { field: "clean_checkout", code: "invalid" }],
  ])("is refused with %j", async (fields, error) => {
    expect(await api.send("POST", builds, { commit, branch: "main", ...fields })).toMatchObject({
      status: 422,
      body: { message: "Validation Failed", errors: [error] },
    });
  });

  test("is not created for a branch the pipeline does not build, unless the request asks for that", async () => {
    api.emulator.createPipeline({ slug: "picky", branchConfiguration: "main release/* !release/old" });
    const status = async (branch: string, more: object = {}) =>
      (await api.send("POST", "/pipelines/picky/builds", { commit, branch, ...more })).status;
    expect(await status("main")).toBe(201);
    expect(await status("release/2")).toBe(201);
    expect(await status("release/old")).toBe(422);
    expect(await status("feature")).toBe(422);
    expect(await status("feature", { ignore_pipeline_branch_filters: true })).toBe(201);
  });

  test.each(["scheduled", "running", "failing"])("is canceled while %s", async (state) => {
    const { number } = await create();
    api.emulator.moveBuild({ pipeline: "storefront", number: Number(number) }, state);
    expect(await api.entity("PUT", `${builds}/${number}/cancel`)).toMatchObject({
      state: "canceled",
      cancel_reason: expect.any(String),
      finished_at: "2030-01-01T00:00:00.000Z",
    });
  });

  test.each(["passed", "failed", "blocked", "canceled", "skipped"])(
    "is not canceled when %s",
    async (state) => {
      const { number, id } = await create();
      api.emulator.moveBuild(String(id), "running");
      api.emulator.moveBuild(String(id), state);
      const before = await api.entity("GET", `${builds}/${number}`);
      const answer = await api.send("PUT", `${builds}/${number}/cancel`);
      expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining(state) } });
      expect(await api.entity("GET", `${builds}/${number}`)).toEqual(before);
    },
  );

  test("keeps its last state when it is blocked", async () => {
    api.emulator.moveBuild({ pipeline: "storefront", number: 5 }, "blocked");
    const blocked = { state: "passed", blocked: true, blocked_state: "passed" };
    expect(await api.entity("GET", `${builds}/5`)).toMatchObject(blocked);
  });

  test("goes with its jobs, on an agent", async () => {
    const { number, jobs } = await create();
    const [lint, last] = api.emulator.organizationData.builds.list().at(-1)?.jobs ?? [];
    expect(jobs).toHaveLength(2);
    const { id: agentId } = api.emulator.connectAgent({ name: "fresh" });
    for (const agent of api.emulator.organizationData.agents.list()) {
      if (agent.id !== agentId) api.emulator.disconnectAgent(agent.id);
    }
    api.emulator.moveJob(lint?.id ?? "", "running");
    expect(await api.entity("GET", `${builds}/${number}`)).toMatchObject({
      state: "running",
      started_at: "2030-01-01T00:00:00.000Z",
      jobs: [
        { state: "running", agent: { name: "fresh", hostname: "fresh.internal" } },
        { state: "scheduled" },
      ],
    });
    expect(await api.entity("GET", `/agents/${agentId}`)).toMatchObject({
      job: { id: lint?.id, script_path: "make lint", artifacts_url: expect.any(String) },
    });
    time += 60_000;
    api.emulator.moveJob(lint?.id ?? "", "failed");
    const failing = await api.entity("GET", `${builds}/${number}`);
    expect(failing).toMatchObject({ state: "failing", finished_at: null });
    api.emulator.moveJob(last?.id ?? "", "passed");
    expect(await api.entity("GET", `${builds}/${number}`)).toMatchObject({
      state: "failed",
      finished_at: "2030-01-01T00:01:00.000Z",
      jobs: [{ exit_status: 1 }, { exit_status: 0 }],
    });
    const idle = { job: null, last_job_finished_at: "2030-01-01T00:01:00.000Z" };
    expect(await api.entity("GET", `/agents/${agentId}`)).toMatchObject(idle);
  });
});

describe("a list of builds", () => {
  test.each([
    ["branch%5B%5D=search", [6]],
    ["creator=Ada%20Archer", [6, 5, 4, 3, 2, 1]],
    ["creator=nobody", []],
    ["created_from=2029-12-31T20:00:00%2B01:00", [6, 5, 4]],
    ["page=0&state=running", [5]],
  ])("is filtered by %s", async (query, expected) => {
    for (const path of ["/v2/builds", "/builds", builds]) {
      expect(numbers(await api.list(`${path}?${query}`))).toEqual(expected);
    }
  });

  test("refuses a time that is none", async () => {
    expect((await api.send("GET", `${builds}?created_from=yesterday`)).status).toBe(400);
  });
});

test.each([
  ["GET", "/pipelines/unknown/builds", "No pipeline found"],
  ["GET", `${builds}/99`, "No build found"],
  ["PUT", `${builds}/99/cancel`, "No build found"],
])("%s %s is not found", async (method, path, message) => {
  expect(await api.send(method, path)).toMatchObject({ status: 404, body: { message } });
});
