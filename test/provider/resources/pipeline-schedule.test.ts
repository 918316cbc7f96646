import { beforeEach, describe, expect, test } from "vitest";
import { colleague, colleagueForEach, emulator } from "../../support/colleague.js";
import { BACKENDS, type InState, ResourceOfProgram } from "../../support/program.js";

colleagueForEach();
let pipelineId: string;

const steps = { repository: "git@github.com:acme/storefront.git", configuration: "steps: [wait]" };

beforeEach(async () => {
  pipelineId = await colleague.makes("/pipelines", { name: "Storefront", ...steps });
});

const list = (slug = "storefront") => colleague.list(`/pipelines/${slug}/schedules`);
const rename = (slug: string) => colleague.sends("PATCH", "/pipelines/storefront", { slug });
const bodies = () =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ operation, body }) => [operation, body]);

describe.each(BACKENDS)("A schedule of a pipeline, by the backend %s,", (backend) => {
  let it: ResourceOfProgram;
  let nightly: { pipelineId: string; cronline: string };
  beforeEach(() => {
    it = new ResourceOfProgram(backend, emulator, "PipelineSchedule");
    nightly = { pipelineId, cronline: "0 3 * * *" };
  });
  const isUnchanged = async (args: object, state: InState) => {
    const again = await it.refresh(state);
    expect(again?.inputs).toEqual(state.inputs);
    if (again !== undefined) expect((await it.preview({ ...args }, again)).changes).toBe(false);
  };

  test("changes in place, clears its variables by {}, and keeps what the program gives up", async () => {
    const made = await it.up({ ...nightly, label: "Nightly", env: { FULL: "true" }, message: "x" });
    const less = await it.up({ ...nightly, cronline: "@daily" }, made);
    expect(bodies().at(-1)?.[1]).toEqual({ cronline: "@daily", message: "", env: {} });
    expect(await list()).toMatchObject([{ label: "Nightly", env: null, message: null }]);
    expect(it.said.join()).toContain("PipelineSchedule.label: the program no longer has it");
    await isUnchanged({ ...nightly, cronline: "@daily" }, less);
    await isUnchanged({ ...nightly, cronline: "@daily", env: {} }, less);
  });

  test("is neither replaced nor duplicated by a new slug of its pipeline, which each request finds", async () => {
    const made = await it.up(nightly);
    await rename("shop");
    await colleague.sends("POST", "/pipelines", { name: "Storefront", ...steps });
    await isUnchanged(nightly, made);
    const again = await it.refresh(made);
    expect(again?.outs).toMatchObject({ pipelineSlug: "shop" });
    // The state still has the old slug, where another pipeline is now.
    const changed = await it.up({ ...nightly, cronline: "@hourly" }, made);
    expect(await list("shop")).toMatchObject([{ id: made.id, cronline: "@hourly" }]);
    await it.destroy(changed);
    expect([await list("shop"), await list()]).toEqual([[], []]);
  });

  test("is made at the pipeline itself if another one has taken its slug since the preview", async () => {
    const { provider, inputs } = await it.preview(nightly);
    await rename("shop");
    await colleague.sends("POST", "/pipelines", { name: "Storefront", ...steps });
    await provider.create({ name: "it", kind: "PipelineSchedule" }, inputs);
    expect([(await list("shop")).length, (await list()).length]).toEqual([1, 0]);
  });

  test.each([0, 1])(
    "stays in state if its pipeline was renamed and is hidden, and a visible one with %s schedules has its slug",
    async (schedules) => {
      const made = await it.up(nightly);
      await rename("shop");
      const teamId = await colleague.makesTeam("Web");
      const teams = { [teamId]: "manage_build_and_read" };
      await colleague.sends("POST", "/pipelines", { name: "Storefront", ...steps, teams });
      const cronline = "0 3 * * *";
      if (schedules > 0) await colleague.sends("POST", "/pipelines/storefront/schedules", { cronline });
      const [member] = await colleague.list(`/teams/${teamId}/members`);
      const accessToken = emulator.createAccessToken({
        scopes: ["read_pipelines", "write_pipelines"],
        userId: String(member?.user_id),
        admin: false,
        seesAllPipelines: false,
      });
      emulator.clearRequests();
      const outsider = new ResourceOfProgram(backend, { ...emulator, accessToken }, "PipelineSchedule");
      expect((await outsider.refresh(made))?.inputs).toEqual(made.inputs);
      await expect(outsider.up({ ...nightly, cronline: "@daily" }, made)).rejects.toThrow();
      await expect(outsider.destroy(made)).rejects.toThrow();
      expect(bodies()).toEqual([]);
      expect([(await list()).length, await list("shop")]).toEqual([
        schedules,
        [expect.objectContaining({ id: made.id, cronline })],
      ]);
    },
  );

  test("that Buildkite disabled is warned of at each refresh, and one that an operator stopped is not", async () => {
    const made = await it.up(nightly);
    await colleague.sends("PUT", `/pipelines/storefront/schedules/${made.id}`, { enabled: false });
    await isUnchanged(nightly, made);
    expect(it.said).toEqual([]);
    emulator.organizationData.pipelineSchedules.update(made.id, {
      failed_message: "The creator left.",
      failed_at: "2031-01-01T00:00:00.000Z",
    });
    await isUnchanged(nightly, made);
    const said = `Buildkite disabled the schedule "${made.id}" at 2031-01-01T00:00:00.000Z: "The creator left."`;
    expect(it.said.join()).toContain(said);
  });

  test("is refused without a cron line, and doubts about one are warnings", async () => {
    await expect(it.preview({ pipelineId, cronline: " " })).rejects.toThrow("is blank");
    const doubtful = [
      "@often",
      "0 3 * *",
      "~ 3 * * *",
      "0 3 * * * Mars/Base",
      "*/5 * * * *",
      "0,5 * * * *",
      ..."60 3 * * *;0 24 * * *;0 1,25/2 * * *;0 3 0 * *;0 3 * 5-13 *;0 3 * * 8".split(";"),
    ];
    const made = await it.up(nightly);
    for (const cronline of doubtful) {
      it.said.length = 0;
      await it.preview({ pipelineId, cronline }, made);
      expect([cronline, it.said.join()]).toEqual([
        cronline,
        expect.stringContaining("PipelineSchedule.cronline:"),
      ]);
    }
  });

  test("takes every cron line that Buildkite documents without a doubt", async () => {
    const lines = [
      "@weekly",
      "0 3 * * 1-5 Europe/Berlin",
      "*/10 * * * *",
      "0 0 L * *",
      "30 4 * * mon%2+1 +02:00",
      "59 23 31 12 7",
      "0-59/30 0,12 1-31/40 1-12 0,sun#2",
    ];
    for (const cronline of lines) await it.preview({ pipelineId, cronline });
    expect(it.said).toEqual([]);
  });
});
