import { readFileSync } from "node:fs";
import { BuildPipelineClient } from "../../src/client/index.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { type ExportedResource, recorded } from "./recording.js";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

/** The organization that recorded/program declares, on an emulator, with jobs and agents in it. */
export class BusyOrganization {
  /** Ids of the recorded resources' counterparts, by the recorded ids. */
  readonly #ids = new Map<string, string>();

  private constructor(
    readonly emulator: Emulator,
    readonly client: BuildPipelineClient,
    readonly linux: string,
    readonly old: string,
    readonly queues: Readonly<Record<"small" | "large" | "one" | "two" | "three", string>>,
    ids: Readonly<Record<string, string>>,
  ) {
    const { resources }: { resources: ExportedResource[] } = JSON.parse(
      readFileSync(recorded("stack-export"), "utf8"),
    ).deployment;
    for (const { urn, id } of resources) {
      const own = ids[urn.slice(urn.lastIndexOf("::") + 2)];
      if (own !== undefined && id !== undefined) this.#ids.set(id, own);
    }
  }

  static async start(options: EmulatorOptions = {}): Promise<BusyOrganization> {
    const emulator = await startEmulator({ seed: false, ...options });
    const client = new BuildPipelineClient({
      baseUrl: emulator.url,
      accessToken: emulator.accessToken,
      organization: emulator.organization,
    });
    const linux = (await client.clusters.create({ name: "Linux" })).id;
    const old = (await client.clusters.create({ name: "Old machines" })).id;
    const queue = async (cluster: string, key: string) => (await client.queues.create(cluster, { key })).id;
    const token = async (cluster: string, description: string, allowed: string[] = []) =>
      (await client.agentTokens.create(cluster, { description, allowed_ip_addresses: allowed })).id;
    const queues = {
      small: await queue(linux, "small"),
      large: await queue(linux, "large"),
      one: await queue(old, "one"),
      two: await queue(old, "two"),
      three: await queue(old, "three"),
    };
    await client.clusters.update(linux, { default_queue_id: queues.small });
    const ids = {
      linux,
      old,
      "linux-small": queues.small,
      "linux-large": queues.large,
      "old-one": queues.one,
      "old-two": queues.two,
      "old-three": queues.three,
      "linux-agents": await token(linux, "Build machines", ["10.1.0.0/16"]),
      "linux-laptops": await token(linux, "Laptops", ["10.20.0.0/16", "192.0.2.7"]),
      "old-agents": await token(old, "Old agents"),
    };
    for (const [slug, clusterId, agents] of [
      ["storefront", linux, []],
      ["api", linux, ["queue=small"]],
      ["release", linux, ["queue=large"]],
      ["legacy", old, ["queue=two"]],
    ] as const) {
      emulator.createPipeline({
        slug,
        clusterId,
        steps: [{ key: "test", name: "Test", command: "make test", agents }],
      });
    }
    return new BusyOrganization(emulator, client, linux, old, queues, ids);
  }

  async build(pipeline: string, count = 1): Promise<void> {
    for (let index = 0; index < count; index++)
      await this.client.builds.create(pipeline, { commit: COMMIT, branch: "main" });
  }

  connect(queueId: string, count = 1): void {
    for (let index = 0; index < count; index++) this.emulator.connectAgent({ queueId });
  }

  /** A recorded file with this organization's ids in it. */
  recorded(name: string): string {
    let text = readFileSync(recorded(name), "utf8");
    for (const [id, own] of this.#ids) text = text.replaceAll(id, own);
    return text;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.emulator.close();
  }
}
