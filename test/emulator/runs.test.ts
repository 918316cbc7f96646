import { describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach();

const runs = "/suites/storefront-tests/runs";

describe("runs of a suite", () => {
  test("go through their documented states", async () => {
    const { emulator } = api;
    const { id } = emulator.createRun("storefront-tests", { branch: "main" });
    const seen = async () => {
      const { state, result } = await api.entity("GET", `${runs}/${id}`);
      return `${state} ${result}`;
    };
    expect(await seen()).toBe("running pending");
    emulator.uploadResults(id, { passed: 3 });
    expect(await seen()).toBe("running passed");
    emulator.finishRun(id);
    expect(await seen()).toBe("finished passed");
    emulator.uploadResults(id, { failed: 1 });
    expect(await seen()).toBe("running failed");
    emulator.uploadResults(id, { passed: 5 });
    emulator.finishRun(id);
    expect(await seen()).toBe("finished failed");
    emulator.expireRun(id);
    expect(await seen()).toBe("finished failed");
  });

  test("become stale without results", async () => {
    const { id } = api.emulator.createRun("storefront-tests");
    api.emulator.expireRun(id);
    expect(await api.entity("GET", `${runs}/${id}`)).toMatchObject({ result: "stale" });
  });

  test("are found through their own suite only", async () => {
    await api.entity("POST", "/suites", { name: "Other", default_branch: "main" });
    const [run] = await api.list(runs);
    const answer = await api.send("GET", `/suites/other/runs/${run?.id}`);
    expect(answer).toMatchObject({ status: 404, body: { message: "No run found" } });
  });
});
