import { describe, expect, test } from "vitest";
import { failure, LOGIN_PAGE, serviceForEach } from "./driver.js";

const service = serviceForEach();

type Properties = Record<string, unknown>;

/** Each kind whose objects can be deleted, the operation that does it, and what to create. */
const cases: readonly [kind: string, operation: string, args: (clusterId: string) => Properties][] = [
  ["Cluster", "clusters.delete", () => ({ name: "Windows" })],
  ["Queue", "queues.delete", (clusterId) => ({ clusterId, key: "large" })],
  ["AgentToken", "agentTokens.delete", (clusterId) => ({ clusterId, description: "farm" })],
  ["PipelineTemplate", "pipelineTemplates.delete", () => ({ name: "Node", configuration: "steps: []" })],
  ["Team", "teams.delete", () => ({ name: "Platform" })],
  ["Suite", "suites.delete", () => ({ name: "Unit", defaultBranch: "main" })],
];

async function make(kind: string, args: (clusterId: string) => Properties) {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  return service.driver.create(kind, args(cluster.id));
}

describe.each(cases)("a deletion of a %s that gets a login page", (kind, operation, args) => {
  test("is an error if the object is missing from its list and a read has it", async () => {
    const made = await make(kind, args);
    service.emulator.fault({ operation, times: 20, action: LOGIN_PAGE });
    const list = operation.replace("delete", "list");
    const fault = service.emulator.fault({ operation: list, times: 20, action: { status: 200, body: [] } });
    expect(await failure(service.newRun().delete(made))).toContain("but body is not JSON");
    fault.remove();
    expect((await service.newRun().read(made)).id).toBe(made.id);
  });

  test("is an error if every other response is that page as well", async () => {
    const made = await make(kind, args);
    service.emulator.fault({ operation, when: "after", action: LOGIN_PAGE });
    service.emulator.fault({ method: "GET", times: 1_000, action: LOGIN_PAGE });
    expect(await failure(service.newRun().delete(made))).toContain("but body is not JSON");
  });
});

test("a secret team that was deleted with a login page as the response is removed from state with a warning", async () => {
  const made = await service.driver.create("Team", { name: "Platform", privacy: "secret" });
  service.emulator.fault({ operation: "teams.delete", when: "after", action: LOGIN_PAGE });
  const run = service.newRun();
  await run.delete(made);
  expect(run.warnings).toEqual([expect.stringContaining(made.id)]);
});
