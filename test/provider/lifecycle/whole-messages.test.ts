import { describe, expect, test } from "vitest";
import { type Driver, failure, LOGIN_PAGE, serviceForEach, UNKNOWN } from "../../support/driver.js";
import { repeatable } from "../../support/repeatable.js";

/**
 * Errors and warnings as a whole: each names the resource, what is wrong, and what
 * to do. The snapshot is where a reviewer reads them.
 */

const service = serviceForEach();

type Properties = Record<string, unknown>;

/** No argument is secret, so messages may quote values. */
const NO_SECRETS = { __secrets: [] };

async function warnings(run: Driver, work: (run: Driver) => Promise<unknown>): Promise<string> {
  await work(run);
  return run.warnings.join("\n");
}

async function checked(kind: string, args: Properties, run = service.newRun()): Promise<string> {
  return (await run.failures(kind, { ...NO_SECRETS, ...args })).join("\n");
}

async function changed(kind: string, args: Properties, to: Properties) {
  const made = await service.driver.create(kind, args);
  return failure(service.newRun().diff(made, to));
}

async function queueIn(args: Properties = {}) {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "small", ...args });
  return { cluster, queue };
}

async function checkedInLinux(kind: string, args: Properties): Promise<string> {
  const { cluster } = await queueIn();
  return checked(kind, { clusterId: cluster.id, ...args });
}

/** Makes an object, and an operation on it that returns another one. */
async function replaced(operation: string) {
  const made = await service.driver.create("Cluster", { name: "Linux" });
  const other = await service.driver.create("Cluster", { name: "Mac" });
  const body = await service.colleague.sends("GET", `/clusters/${other.id}`);
  service.emulator.fault({ operation, times: 9, action: { status: 200, body } });
  return made;
}

const scenes: Readonly<Record<string, () => Promise<string>>> = {
  "an import that two objects match": async () => {
    for (const name of ["Linux", "Linux"]) await service.driver.create("Cluster", { name });
    return checked("Cluster", { name: "Linux", import: "Linux" });
  },
  "an import that nothing matches, with similar names": async () => {
    await service.driver.create("Cluster", { name: "Linux" });
    await service.driver.create("Cluster", { name: "Linux large" });
    return checked("Cluster", { name: "Linus", import: "Linus" });
  },
  "an import that nothing matches": async () => checked("Team", { name: "Core", import: "Core" }),
  "an import of a queue without its cluster": () =>
    checkedInLinux("Queue", { key: "small", import: "small" }),
  "an import whose name begins or ends with a slash": async () => {
    const { cluster } = await queueIn();
    const args = { clusterId: cluster.id, key: "small" };
    const names = ["/small", "Linux/", "/"];
    return (await Promise.all(names.map((name) => checked("Queue", { ...args, import: name })))).join("\n");
  },
  "an import with two slashes that nothing matches": () =>
    checkedInLinux("AgentToken", { description: "a", import: "Linux/farm/a" }),
  "an import of a queue whose cluster is missing": () =>
    checkedInLinux("Queue", { key: "small", import: "Windows/small" }),
  "an import of a default queue": async () => {
    const { cluster, queue } = await queueIn();
    return checked("ClusterDefaultQueue", { clusterId: cluster.id, queueId: queue.id, import: "Linux" });
  },
  "an import whose list is refused": async () => {
    service.emulator.fault({ operation: "teams.list", action: { status: 403, body: { message: "No" } } });
    const permissions = { defaultMemberRole: "member", membersCanCreatePipelines: false };
    return checked("Team", { name: "Core", ...permissions, import: "Core" });
  },
  "an import that differs, with values that may be shown": async () => {
    await service.driver.create("Cluster", { name: "Linux", description: "Builds", color: "#aabbcc" });
    return checked("Cluster", { name: "Linux", description: "Tests", import: "Linux" });
  },
  "an import that differs, without knowledge of secrets": async () => {
    await service.driver.create("Cluster", { name: "Linux", description: "Builds" });
    return (await service.newRun().failures("Cluster", { name: "Linux", import: "Linux" })).join();
  },
  "an import with lines that differ": async () => {
    const configuration = ["steps:", "  - command: make", "  - wait", "  - command: test"].join("\n");
    await service.driver.create("PipelineTemplate", { name: "Node", configuration });
    const changedText = configuration.replace("make", "build");
    return checked("PipelineTemplate", { name: "Node", configuration: changedText, import: "Node" });
  },
  "an import with lists that differ, without knowledge of secrets": async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const args = { clusterId: cluster.id, description: "farm" };
    await service.driver.create("AgentToken", { ...args, allowedIpAddresses: ["10.0.0.0/8"] });
    const run = service.newRun();
    return (await run.failures("AgentToken", { ...args, import: "Linux/farm" })).join();
  },
  "an import of an agent token and of a suite, whose secrets are lost": async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    await service.driver.create("AgentToken", { clusterId: cluster.id, description: "farm" });
    await service.driver.create("Suite", { name: "Unit", defaultBranch: "main" });
    const run = service.newRun();
    await run.create("Cluster", { name: "Linux", import: "Linux" });
    await run.create("AgentToken", { clusterId: cluster.id, description: "farm", import: "Linux/farm" });
    await run.create("Suite", { name: "Unit", defaultBranch: "main", import: "unit" });
    return [...run.observed, ...run.warnings].join("\n");
  },
  "an import that differs when the deployment comes": async () => {
    const { id } = await service.driver.create("Cluster", { name: "Linux", description: "Builds" });
    const args = { ...NO_SECRETS, name: "Linux", description: "Builds", import: "Linux" };
    const { inputs = {} } = await (await service.newRun().kind("Cluster")).check({}, args);
    await service.colleague.sends("PUT", `/clusters/${id}`, { description: "Tests" });
    return failure((await service.newRun().kind("Cluster")).create(inputs));
  },
  "an import that an update makes name another object": async () => {
    await service.driver.create("Cluster", { name: "Windows" });
    return changed("Cluster", { name: "Linux" }, { import: "Windows" });
  },
  "a replacement together with the removal of import": async () => {
    const { cluster } = await queueIn();
    await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: "large" });
    const args = { clusterId: cluster.id, key: "large", import: "Linux/large" };
    return changed("Queue", args, { key: "huge", import: undefined });
  },
  "a change that only a creation carries out, not known yet": async () => {
    const made = await service.driver.create("Suite", { name: "s", defaultBranch: "main" });
    return warnings(service.newRun(), async (run) => run.plan(made, { ...made.inputs, teamIds: UNKNOWN }));
  },
  "a change that only a creation carries out, with a team of this run": async () => {
    const made = await service.driver.create("Suite", { name: "s", defaultBranch: "main" });
    const old = await service.driver.create("Team", { name: "Old" });
    return warnings(service.newRun(), async (run) => {
      const team = await run.create("Team", { name: "Core" });
      const teamIds = [old.id, team.id];
      await run.plan(made, { ...made.inputs, teamIds });
    });
  },
  "a lookup of a missing object": async () => {
    const id = "11111111-2222-4333-8444-555555555555";
    return failure(service.driver.read({ kind: "Team", id, outs: {} }));
  },
  "a refresh that gets another object": async () => {
    const made = await replaced("clusters.get");
    return failure(service.newRun().read(made));
  },
  "an update whose response describes another object": async () => {
    const made = await replaced("clusters.update");
    return failure(service.newRun().update(made, { name: "Windows" }));
  },
  "a pause whose response describes another object": async () => {
    const { cluster, queue } = await queueIn();
    const other = await service.driver.create("Queue", { clusterId: cluster.id, key: "other" });
    const body = await service.colleague.sends("GET", `/clusters/${cluster.id}/queues/${other.id}`);
    service.emulator.fault({ operation: "queues.pauseDispatch", times: 9, action: { status: 200, body } });
    return failure(service.newRun().update(queue, { dispatchPaused: true }));
  },
  "a creation with a lost response, found in the list": async () => {
    service.emulator.fault({ operation: "clusters.create", when: "after", action: "drop" });
    return warnings(service.newRun(), (run) => run.create("Cluster", { name: "Linux" }));
  },
  "a creation with a login page as the response, not in the list": async () => {
    service.emulator.fault({ operation: "clusters.create", times: 9, action: LOGIN_PAGE });
    return failure(service.newRun().create("Cluster", { name: "Linux" }));
  },
  "a creation that may have made one of two": async () => {
    const body = { name: "Linux" };
    service.emulator.fault({ operation: "clusters.create", when: "after", action: "drop" });
    const run = service.newRun();
    await run.failures("Cluster", body);
    const creation = failure(run.create("Cluster", body));
    await service.colleague.sends("POST", "/clusters", body);
    return creation;
  },
  "the creation of a default queue that a read does not show": async () => {
    const { cluster, queue } = await queueIn();
    service.emulator.fault({ operation: "clusters.update", times: 9, action: LOGIN_PAGE });
    const args = { clusterId: cluster.id, queueId: queue.id };
    return failure(service.newRun().create("ClusterDefaultQueue", args));
  },
  "a cluster whose list of queues is refused": async () => {
    const { cluster } = await queueIn();
    service.emulator.fault({ operation: "queues.list", action: { status: 403, body: { message: "No" } } });
    return failure(service.newRun().delete(cluster));
  },
  "a cluster with two objects of others": async () => {
    const { cluster } = await queueIn();
    await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: "gpu" });
    return failure(service.newRun().delete(cluster));
  },
  "the deletion of a suite that only the second list has": async () => {
    const suite = await service.driver.create("Suite", { name: "s", defaultBranch: "main" });
    await service.clock.sleep(60_000);
    service.emulator.fault({ operation: "suites.get", action: { status: 404, body: {} } });
    service.emulator.fault({ operation: "suites.list", action: { body: [] } });
    return failure(service.newRun().delete(suite));
  },
  "the deletion of a missing secret team, with the state of an earlier version": async () => {
    const team = await service.driver.create("Team", { name: "Core", privacy: "secret" });
    await service.colleague.sends("DELETE", `/teams/${team.id}`);
    const { __origin: _, __tokenId: __, ...outs } = team.outs;
    return failure((await service.newRun().kind("Team")).delete(team.id, outs));
  },
  "a scope of which there are two, and one more": async () => {
    const accessToken = service.emulator.createAccessToken({ scopes: ["read_clusters"] });
    const run = service.newRun({ "buildpipeline:accessToken": accessToken });
    return checked("Team", { name: "Core" }, run);
  },
};

describe("The whole message for", () => {
  // Each of them in every run: a snapshot that no test asks for would be called obsolete.
  for (const [name, play] of Object.entries(scenes))
    test(name, async () => {
      expect(repeatable(await play())).toMatchSnapshot();
    });
});
