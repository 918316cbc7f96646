import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { expect, vi } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.js";
import { CHECKOUT } from "../support/checkout.js";
import { Driver, failure, type Made, Service, UNKNOWN } from "../support/driver.js";

/** What a message is provoked in: a service, a colleague, and runs of the provider. */
class Scene extends Service {
  /** A resource whose arguments are given; what an earlier run made seconds ago. */
  async make(kind: string, args: Record<string, unknown>) {
    const made = await this.newRun().create(kind, args);
    await this.clock.sleep(20_000);
    return made;
  }

  async queue(args: Record<string, unknown> = {}) {
    const cluster = await this.make("Cluster", { name: "Linux" });
    const queue = await this.make("Queue", { clusterId: cluster.id, key: "small", ...args });
    return { cluster, queue };
  }

  async deletedTeam() {
    const made = await this.make("Team", { name: "n", privacy: "secret" });
    await this.colleague.sends("DELETE", `/teams/${made.id}`);
    return made;
  }

  /** A queue that is the default of its cluster, as a later run finds it. */
  async defaultQueue() {
    const { cluster, queue } = await this.queue();
    const entry = await this.make("ClusterDefaultQueue", { clusterId: cluster.id, queueId: queue.id });
    return { cluster, queue, entry, later: this.newRun() };
  }
}

type Provoke = (scene: Scene) => Promise<string>;

/** Has a cluster, and then another run. */
const withCluster =
  (work: (made: Made, run: Driver, scene: Scene) => Promise<string>): Provoke =>
  async (scene) => {
    const made = await scene.make("Cluster", { name: "Linux" });
    return work(made, scene.newRun(), scene);
  };

const withDefaultQueue = (
  work: (made: Awaited<ReturnType<Scene["defaultQueue"]>>) => Promise<string>,
): [EmulatorOptions, Provoke] => [
  { variations: { clearDefaultQueue: "refused" } },
  async (scene) => work(await scene.defaultQueue()),
];

/** How each message comes about, by its constant part. */
export const provokers: Record<string, Provoke | [EmulatorOptions, Provoke]> = {
  "needs Node 22.19 or later": async () =>
    node(withNode("20.20.2", `require("./dist/shared/process/node-version.js")`), CHECKOUT),
  "is not set: ": () => failure(new Driver({}).failures("Cluster", { name: "x" })),
  "the access token lacks the scope": async (scene) => {
    const run = scene.newRun({ "buildpipeline:accessToken": scene.emulator.readOnlyAccessToken });
    return (await run.failures("Cluster", { name: "x" })).join();
  },
  "failed with 404": withCluster(async (made, run, { colleague }) => {
    await colleague.sends("DELETE", `/clusters/${made.id}`);
    return failure(run.update(made, { name: "Mac" }));
  }),
  "failed with 401": refusedToken,
  "Check the access token": refusedToken,
  "use the configuration of the last pulumi up": withCluster((made, _, scene) =>
    failure(scene.newRun({ "buildpipeline:accessToken": "revoked" }).read(made)),
  ),
  "and its lists can't be read. The deletion could not be confirmed": withCluster(
    (made, run, { emulator }) => {
      emulator.fault({ method: "GET", path: /clusters/, times: 100, action: { status: 404, body: {} } });
      return failure(run.read(made));
    },
  ),
  "but the settings now say": withCluster((made, _, scene) =>
    failure(scene.newRun({ "buildpipeline:organization": "acne" }).read(made)),
  ),
  "exists, but the arguments differ from it": withCluster(async (_, run) =>
    (await run.failures("Cluster", { name: "Mac", import: "Linux" })).join(),
  ),
  "because every update sends it": async (scene) => {
    await scene.make("Team", { name: "Core" });
    return (await scene.newRun().failures("Team", { name: "Core", import: "Core" })).join();
  },
  "so a default could change it unseen": async (scene) => {
    const { kind, id, inputs, outs } = await scene.make("Team", { name: "Core" });
    const untold = ["defaultMemberRole", "membersCanCreatePipelines"];
    const known = (all: object) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !untold.includes(name)));
    const state = { ...known(outs), __untold: untold };
    return failure(
      scene.newRun().update({ kind, id, inputs: known(inputs), outs: state }, { description: "New" }),
    );
  },
  "which another resource of this program": withCluster(async (_, run) => {
    await run.failures("Cluster", { name: "Linux", import: "Linux" });
    return (await run.failures("Cluster", { name: "Linux", import: "Linux" })).join();
  }),
  "would replace the imported": async (scene) => {
    const queue = await adopted(scene);
    return failure(scene.newRun().diff(queue, { key: "other" }));
  },
  "because its option import is still set": async (scene) => {
    const queue = await adopted(scene);
    return warning(scene.newRun(), (run) => run.delete(queue));
  },
  "because another resource of this program imported it": async (scene) => {
    const { queue: old } = await scene.queue();
    const run = scene.newRun();
    await run.create("Queue", { ...old.inputs, import: "Linux/small" });
    return warning(run, () => run.delete(old));
  },
  "is imported into a stack that manages its": async (scene) => {
    const { cluster, queue } = await scene.queue();
    return warning(scene.newRun(), async (run) => {
      await run.plan(cluster, { name: "Linux" });
      await run.failures("Queue", { ...queue.inputs, organization: undefined, import: "Linux/small" });
    });
  },
  "already exists: ": withCluster((_, run) => warning(run, () => run.failures("Cluster", { name: "Linux" }))),
  "in it that this stack did not delete first": async (scene) => {
    const { cluster } = await scene.queue();
    return failure(scene.newRun().delete(cluster));
  },
  "it was probably deleted. pulumi up --refresh creates it again": withCluster(async (made, run) => {
    await run.delete(made);
    return failure(run.update(made, { name: "Mac" }));
  }),
  "so the update can't repeat them": async (scene) => {
    const team = await scene.make("Team", { name: "Core" });
    return warning(scene.newRun(), (run) => run.plan(team, { name: "Core", description: "People" }));
  },
  "is taken by the": async (scene) => {
    const { cluster } = await scene.queue();
    return (await scene.newRun().failures("Queue", { clusterId: cluster.id, key: "small" })).join();
  },
  "the API can't be reached": async (scene) => {
    const run = scene.newRun({ "buildpipeline:baseUrl": "http://127.0.0.1:9" });
    return (await run.failures("Cluster", { name: "Linux" })).join();
  },
  "does not exist, or has no": async (scene) =>
    (await scene.newRun({ "buildpipeline:organization": "acne" }).failures("Cluster", { name: "x" })).join(),
  "that this access token may see. Give an id that exists": async (scene) => {
    const clusterId = "11111111-2222-4333-8444-555555555555";
    return (await scene.newRun().failures("Queue", { clusterId, key: "q" })).join();
  },
  "buildpipeline:offline is set": async (scene) => {
    const run = scene.newRun({ "buildpipeline:offline": "true" });
    return warning(run, () => run.failures("Cluster", { name: "x" }));
  },
  "Key has already been taken": async (scene) => {
    const { cluster } = await scene.queue();
    const provider = await scene.newRun().kind("Queue");
    return failure(provider.create({ clusterId: cluster.id, key: "small" }));
  },
  "The request may have been carried out": withCluster((made, run, { emulator }) => {
    emulator.fault({ path: /clusters/, times: 100, action: "drop" });
    return failure(run.update(made, { name: "Mac" }));
  }),
  "could not confirm whether": async (scene) => {
    const run = scene.newRun();
    scene.emulator.fault({ operation: "clusters.create", when: "after", action: "drop" });
    const provider = await run.kind("Cluster");
    scene.emulator.fault({ operation: "clusters.list", times: 100, action: { status: 403, body: {} } });
    return failure(provider.create({ name: "Linux" }));
  },
  "the response with the secret of": async (scene) => {
    const { cluster } = await scene.queue();
    scene.emulator.fault({ operation: "agentTokens.create", when: "after", action: "drop" });
    const args = { clusterId: cluster.id, description: "farm" };
    return warning(scene.newRun(), (run) => run.create("AgentToken", args));
  },
  "Read-only mode": async (scene) => {
    vi.stubEnv("BUILDPIPELINE_READ_ONLY", "true");
    const provider = await scene.newRun().kind("Cluster");
    return failure(provider.create({ name: "Linux" }));
  },
  "This token may not be allowed to read it": async (scene) => {
    const made = await scene.deletedTeam();
    const accessToken = scene.emulator.createAccessToken({ scopes: ["read_teams"] });
    return warning(scene.newRun({ "buildpipeline:accessToken": accessToken }), (run) => run.read(made));
  },
  "the user of the token probably lost a role": async (scene) => {
    const all = await Promise.all(["a", "b"].map((name) => scene.make("Team", { name, privacy: "secret" })));
    for (const { id } of all) await scene.colleague.sends("DELETE", `/teams/${id}`);
    return warning(scene.newRun(), (run) => Promise.all(all.map((made) => run.read(made))));
  },
  "the API no longer returns it to the access token that read it last": async (scene) => {
    const made = await scene.deletedTeam();
    return warning(scene.newRun(), (run) => run.read(made));
  },
  "is removed from state: the API's lists lack it, less than ten minutes after its creation": withCluster(
    async (made, run, { colleague }) => {
      await colleague.sends("DELETE", `/clusters/${made.id}`);
      return warning(run, () => run.read(made));
    },
  ),
  "is removed from state: the API doesn't return it": async (scene) => {
    const made = await scene.deletedTeam();
    return warning(scene.newRun(), (run) => run.delete(made));
  },
  "Another endpoint can't confirm the deletion": withCluster(async (made, run, { colleague }) => {
    await colleague.sends("DELETE", `/clusters/${made.id}`);
    const outs = { ...made.outs, url: "https://elsewhere.example/v2/clusters/1" };
    return failure(run.read({ ...made, outs }));
  }),
  "which begins a color in the output of the Pulumi CLI": async (scene) => {
    const args = { name: "<{%x%}> team", __secrets: [] };
    return warning(scene.newRun(), (run) => run.failures("Cluster", args));
  },
  "Rate limit reached. Resuming in": async (scene) => {
    scene.emulator.fault({ operation: "accessToken.get", action: limited("5") });
    return warning(scene.newRun(), (run) => run.failures("Cluster", { name: "x" }));
  },
  "Nothing was carried out. Try again": withCluster((made, run, { emulator }) => {
    emulator.fault({ operation: "clusters.get", times: 1_000, action: limited("60") });
    return failure(run.read(made));
  }),
  "is still the default queue of cluster": withDefaultQueue(({ queue, later }) =>
    failure(later.delete(queue)),
  ),
  "the service does not clear a default queue": withDefaultQueue(({ entry, later }) =>
    warning(later, () => later.delete(entry)),
  ),
  "it is the default queue, and the service neither": withDefaultQueue(async ({ queue, entry, later }) => {
    await later.delete(entry);
    return warning(later, () => later.delete(queue));
  }),
  "exists, but is not finished": async (scene) => {
    const { cluster } = await scene.queue();
    scene.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 422, body: {} } });
    return failure(scene.make("Queue", { clusterId: cluster.id, key: "paused", dispatchPaused: true }));
  },
  "was updated in part": async (scene) => {
    const { queue } = await scene.queue();
    scene.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 422, body: {} } });
    return failure(scene.newRun().update(queue, { description: "new", dispatchPaused: true }));
  },
  "counts only when the suite is created": async (scene) => {
    const made = await scene.make("Suite", { name: "Unit", defaultBranch: "main" });
    const warned = await warning(scene.newRun(), (run) => run.diff(made, { teamIds: [UNKNOWN] }));
    expect(warned).toContain("counts only when the suite is created");
    const given = { ...made.inputs, teamIds: ["11111111-2222-4333-8444-555555555555"] };
    return failure(scene.newRun().plan(made, given));
  },
  "has a leading zero, which is ambiguous": async (scene) => {
    const { cluster } = await scene.queue();
    const args = { clusterId: cluster.id, description: "farm", allowedIpAddresses: ["010.0.0.1"] };
    return (await scene.newRun().failures("AgentToken", args)).join();
  },
  "The scopes of the access token could not be read": async (scene) => {
    scene.emulator.fault({ operation: "accessToken.get", times: 10, action: { status: 403, body: {} } });
    return warning(scene.newRun(), (run) => run.failures("Cluster", { name: "x" }));
  },
  "does not know the kind": async () => {
    const { provider } = await import("../../src/provider/dynamic/index.js");
    return failure(Promise.resolve().then(() => provider("Future")));
  },
  "Cannot find module 'pulumi-buildpipeline/provider'": async () =>
    node(
      `require("module").createRequire(process.cwd() + "/")("pulumi-buildpipeline/provider").provider("Cluster")`,
      tmpdir(),
    ),
  "Cannot find module '@pulumi/pulumi/cmd/dynamic-provider'": async () =>
    // As the executable of the dynamic provider, which comes with Pulumi, looks for it.
    node(`console.log(require.resolve('@pulumi/pulumi/cmd/dynamic-provider'))`, tmpdir()),
};

async function refusedToken(scene: Scene): Promise<string> {
  const run = scene.newRun({ "buildpipeline:accessToken": "revoked" });
  return failure(run.failures("Cluster", { name: "x" }));
}

async function adopted(scene: Scene) {
  const { queue } = await scene.queue();
  const { organization: _, ...args } = queue.inputs;
  return scene.make("Queue", { ...args, import: "Linux/small" });
}

/** What a run warns of while it does something. */
async function warning(run: Driver, work: (run: Driver) => Promise<unknown>): Promise<string> {
  await work(run);
  return run.warnings.join();
}

function limited(seconds: string) {
  const headers = { "RateLimit-Remaining": "0", "RateLimit-Limit": "200", "RateLimit-Reset": seconds };
  return { status: 429, headers, body: { message: "Too many requests" } };
}

function node(program: string, cwd: string): string {
  return spawnSync(process.execPath, ["-e", program], { cwd, encoding: "utf8" }).stderr;
}

function withNode(version: string, program: string): string {
  const versions = `{...process.versions, node: ${JSON.stringify(version)}}`;
  return `Object.defineProperty(process, "versions", {value: ${versions}}); ${program}`;
}

/** Brings a message about, in a service of its own. @returns what was printed */
export async function provoked(message: string): Promise<string> {
  const entry = provokers[message];
  if (entry === undefined) throw new Error("Nothing provokes it here.");
  const [options, provoke] = Array.isArray(entry) ? entry : [{}, entry];
  const scene = new Scene();
  await scene.start(options);
  try {
    return await provoke(scene);
  } finally {
    await scene.emulator.close();
  }
}
