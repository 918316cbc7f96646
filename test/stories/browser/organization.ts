import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { clientOf } from "../../support/command.js";

/** An organization as a person may have it: something in every section, long texts and hostile ones among it. */
export async function furnishedEmulator(): Promise<Emulator> {
  const emulator = await startEmulator();
  const client = clientOf(emulator);
  const linux = await client.clusters.create({
    name: "Linux",
    description: "Builds and tests of everything that ships",
    emoji: ":penguin:",
    color: "#A9CCE3",
  });
  const fast = await client.queues.create(linux.id, { key: "fast", description: "Sixteen cores" });
  await client.clusters.update(linux.id, { default_queue_id: fast.id });
  const slow = await client.queues.create(linux.id, { key: "nightly", description: "Runs after hours" });
  await client.queues.pauseDispatch(linux.id, slow.id, { note: "Disk full on <builder-7>, back by noon" });
  await client.agentTokens.create(linux.id, {
    description: "Machines of the cellar",
    allowed_ip_addresses: ["192.0.2.0/24", "198.51.100.7"],
  });
  const mac = await client.clusters.create({ name: `<script>document.title = "taken over"</script>` });
  await client.queues.create(mac.id, { key: `q${"_very_long_key".repeat(8)}` });
  await client.agentTokens.create(mac.id, { description: "Signing" });
  emulator.connectAgent({ name: "builder-7", queueId: fast.id });
  await client.pipelineTemplates.create({
    name: "Release",
    description: "What every tag goes through",
    configuration: `steps:\n  - command: make ${"--with-a-long-option ".repeat(10)}\n  - wait\n  - block: "Ship it?"\n`,
    available: true,
  });
  await client.teams.create({
    name: "Platform",
    description: "Keeps builds fast",
    privacy: "visible",
    is_default_team: true,
    default_member_role: "member",
    members_can_create_pipelines: true,
  });
  await client.suites.create({ name: "Checkout tests", default_branch: "main", emoji: ":test_tube:" });
  await client.clusters.get("gone").catch(() => undefined);
  await client.close();
  return emulator;
}
