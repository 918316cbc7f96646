import { describe, expect, test } from "vitest";
import { failure, groupOf, LOGIN_PAGE, minimal, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

async function make(kind: string) {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  return service.driver.create(kind, minimal(cluster.id, "")[kind] ?? {});
}

const kinds = ["Cluster", "Queue", "AgentToken", "PipelineTemplate", "Team", "Suite"];

describe.each(kinds)("a deletion of a %s that gets a login page", (kind) => {
  const operation = `${groupOf(kind)}.delete`;

  test("is an error if the object is missing from its list and a read has it", async () => {
    const made = await make(kind);
    service.emulator.fault({ operation, times: 20, action: LOGIN_PAGE });
    const empty = { operation: `${groupOf(kind)}.list`, action: { status: 200, body: [] } };
    const fault = service.emulator.fault({ ...empty, times: 20 });
    expect(await failure(service.newRun().delete(made))).toContain("but body is a web page");
    fault.remove();
    expect((await service.newRun().read(made)).id).toBe(made.id);
  });

  test("is an error if every other response is that page as well", async () => {
    const made = await make(kind);
    service.emulator.fault({ operation, when: "after", action: LOGIN_PAGE });
    service.emulator.fault({ method: "GET", times: 1_000, action: LOGIN_PAGE });
    expect(await failure(service.newRun().delete(made))).toContain("but body is a web page");
  });
});

test("a secret team that was deleted with a login page as the response is removed from state with a warning", async () => {
  const made = await service.driver.create("Team", { name: "Platform", privacy: "secret" });
  service.emulator.fault({ operation: "teams.delete", when: "after", action: LOGIN_PAGE });
  const run = service.newRun();
  await run.delete(made);
  expect(run.warnings).toEqual([expect.stringContaining(made.id)]);
});
