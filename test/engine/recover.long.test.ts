import { beforeEach, describe, expect, test } from "vitest";
import { backends } from "./backends.js";
import { KillableProject } from "./killable-project.js";
import { COMMAND } from "./project.js";

describe.each(backends)("buildpipeline recover, %s backend", (backend) => {
  let killable: KillableProject;
  beforeEach(async () => {
    killable = await KillableProject.start(backend);
  });
  const CLUSTER = 'const linux = new Cluster("linux", { name: "Linux" });';
  const QUEUE = 'new Queue("queue", { clusterId: linux, key: "large" });';
  const TOKEN = 'new AgentToken("token", { clusterId: linux, description: "farm" });';

  const data = () => killable.project.emulator.organizationData;
  const recover = (...args: string[]) =>
    killable.project.shell(
      `${COMMAND} recover ${args.join(" ")} 2>&1 && echo "exit code 0" || echo "exit code $?"`,
    );

  test("imports the queue of a killed engine and clears its creation, so that the next `up` creates no second one", async () => {
    const { project } = killable;
    killable.program(CLUSTER, QUEUE);
    await killable.killedAt("queues.create");
    expect(await recover()).toContain("npx pulumi-buildpipeline import Queue queue Linux/large");
    expect(data().queues.size).toBe(1);

    expect(await recover("--yes")).toMatch(/^Imported urn:.*Queue::queue$/m);
    const creations = killable.hits("queues.create");
    const up = await project.up("--expect-no-changes");
    expect(up).not.toMatch(/pending|warning:/);
    expect(killable.hits("queues.create")).toBe(creations);
    expect(await project.shell(`${COMMAND} recover`)).toContain("Nothing was interrupted.");
  });

  const SECRET = 'new ClusterSecret("secret", { clusterId: linux, key: "DEPLOY_KEY", value: "hunter2" });';
  const PIPELINE =
    'new Pipeline("shop", { name: "Shop", repository: "git@example.com:acme/shop.git", clusterId: linux });';

  test("imports a pipeline, which may hide from lists, and a secret, whose value the next `up` sends", async () => {
    const { project } = killable;
    killable.program(CLUSTER, SECRET, PIPELINE);
    await killable.killedAt("clusterSecrets.create", "pipelines.create");
    const recovered = await recover("--yes");
    expect(recovered).toMatch(/^Imported urn:\S+Pipeline::shop$/m);
    expect(recovered).toMatch(
      /^Imported urn:\S+ClusterSecret::secret\n +The API doesn't return its value, so the next/m,
    );
    expect(recovered).toMatch(/The interrupted creations are cleared from the state\.\s+exit code 0/);
    project.emulator.clearRequests();
    await project.up();
    expect(project.writes()).toEqual(["clusterSecrets.updateValue"]);
    expect(await project.up("--expect-no-changes")).not.toMatch(/pending|warning:/);
  });

  test("goes on after one that isn't as it was sent, and ends with 1 and the next step of each", async () => {
    const { project } = killable;
    killable.program(CLUSTER, QUEUE, SECRET, PIPELINE);
    await killable.killedAt("queues.create", "clusterSecrets.create", "pipelines.create");
    const [queue] = data().queues.list();
    data().queues.update(queue?.id ?? "", { description: "By a colleague" });
    const recovered = await recover("--yes");
    expect(recovered).toContain("exit code 1");
    expect(recovered).toMatch(/^Imported urn:\S+Pipeline::shop$/m);
    expect(recovered).toMatch(/Queue::queue\n +It was not imported: \S+ differs from .*By a colleague/);
    expect(recovered).toMatch(/ClusterSecret::secret\n +The state has it\./);
    expect(recovered).toMatch(/Pipeline::shop\n +The state has it\./);
    const [command] = /npx pulumi-buildpipeline import Queue .*/.exec(recovered) ?? [];

    await project.shell(`${command?.replace("npx pulumi-buildpipeline", COMMAND)} --yes`);
    expect(await recover("--yes")).toMatch(
      /The interrupted creations are cleared from the state\.\s+exit code 0/,
    );
    project.emulator.clearRequests();
    await project.up();
    expect(project.writes().sort()).toEqual(["clusterSecrets.updateValue", "queues.update"]);
  });

  test("has a token revoked that lost its secret, and clears its creation only then", async () => {
    const { project } = killable;
    killable.program(CLUSTER, TOKEN);
    await killable.killedAt("agentTokens.create");
    const [lost] = data().agentTokens.list();
    expect(await recover("--yes")).toContain(`/tokens/${lost?.id}`);
    expect(await project.pulumi("stack", "export")).toContain('"pending_operations"');

    await project.colleague.sends("DELETE", `/clusters/${lost?.cluster_id}/tokens/${lost?.id}`);
    expect(await recover("--yes")).toContain("The interrupted creations are cleared from the state.");
    await project.up();
    expect(data().agentTokens.size).toBe(1);
    expect(await project.up("--expect-no-changes")).not.toMatch(/warning:/);
  });

  test("names the old half of a replacement whose deletion was refused, until `up` has deleted it", async () => {
    const { project } = killable;
    killable.program(CLUSTER, QUEUE);
    await project.up();
    const [large] = data().queues.list();
    const agent = project.emulator.connectAgent({ queueId: large?.id ?? "" });
    killable.program(CLUSTER, QUEUE.replace("large", "tiny"));
    await project.shell("! pulumi up --yes --skip-preview");
    expect(await recover()).toContain(`The old Queue ${large?.id} still exists.`);

    project.emulator.disconnectAgent(agent.id);
    await project.up();
    expect(await project.shell(`${COMMAND} recover`)).toContain("Nothing was interrupted.");
    expect(
      data()
        .queues.list()
        .map(({ key }) => key),
    ).toEqual(["tiny"]);
  });
});
