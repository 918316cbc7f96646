import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AgentToken, Cluster, Provider, Queue, Team } from "../../src/index.js";
import { Colleague } from "./colleague.js";
import { TestStack } from "./stack.js";

describe("Settings and permissions on the real engine", () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await TestStack.start();
    await stack.up(program);
  });
  afterAll(() => stack.close());

  const program = async () => {
    const linux = new Cluster("linux", { name: "Linux" });
    new Queue("queue", { clusterId: linux, key: "q" });
    new AgentToken("token", { clusterId: linux, description: "d" });
    new Team("team", { name: "Team" });
  };
  const names = ["linux", "queue", "team", "token"];
  const remembered = async () => Object.keys(await stack.state()).sort();

  test("a missing setting is told with the places to set it, and the program's line", async () => {
    const env = { BUILDPIPELINE_ACCESS_TOKEN: undefined, BUILDPIPELINE_BASE_URL: undefined };
    const message = await stack.refused(stack.preview(program, { env }));
    expect(message).toContain("buildpipeline:accessToken is not set");
    expect(message).toContain("BUILDPIPELINE_BASE_URL");
    expect(message).not.toMatch(/\n\s+at /);
  });

  test("bad input is told at preview, before anything is written, with the resource's name", async () => {
    stack.requests();
    const message = await stack.refused(
      stack.preview(async () => {
        await program();
        new Cluster("wrong-color", { name: "x", color: "green" });
      }),
    );
    expect(message).toContain("wrong-color");
    expect(message).toContain("Cluster.color: is not a hex color code");
    expect(stack.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  test("a missing scope is told at preview", async () => {
    const env = { BUILDPIPELINE_ACCESS_TOKEN: stack.emulator.readOnlyAccessToken };
    const message = await stack.refused(
      stack.preview(
        async () => {
          await program();
          new Team("second", { name: "Second" });
        },
        { env },
      ),
    );
    expect(message).toContain("write_teams");
  });

  test("an unchanged program can be previewed with an access token that only reads", async () => {
    const env = { BUILDPIPELINE_ACCESS_TOKEN: stack.emulator.readOnlyAccessToken };
    await stack.preview(program, { env, expectNoChanges: true });
  });

  test("a revoked access token forgets nothing", async () => {
    const env = { BUILDPIPELINE_ACCESS_TOKEN: "bp-revoked-access-token" };
    const commands = [
      () => stack.preview(program, { env }),
      () => stack.refresh({ env }),
      () => stack.up(async () => void new Team("team", { name: "Team" }), { env }),
    ];
    for (const command of commands) {
      const message = await stack.refused(command());
      expect(message).toContain("401");
      expect(message).not.toContain("bp-revoked-access-token");
    }
    expect(await remembered()).toEqual(names);
  });

  test("a queue whose key is taken is told with the way to adopt it", async () => {
    const message = await stack.refused(
      stack.up(async () => {
        await program();
        new Queue("twin", { clusterId: String((await stack.state()).linux?.id), key: "q" });
      }),
    );
    expect(message).toContain(`import: "${(await stack.state()).linux?.id}/${(await stack.state()).queue?.id}"`);
    await stack.up(program);
  });

  test("another organisation is an error that explains itself, and forgets nothing", async () => {
    const env = { BUILDPIPELINE_ORGANIZATION: "acne" };
    const message = await stack.refused(stack.preview(program, { env }));
    expect(message).toContain('is in the organization "acme"');
    expect(message).toContain("allowOrganizationChange");
    expect(await remembered()).toEqual(names);
    await stack.refresh({ env, expectNoChanges: true });
  });

  test("an explicit provider deploys, and changes nothing when nothing changed", async () => {
    const explicit = async () => {
      await program();
      const { url, accessToken, organization } = stack.emulator;
      const provider = new Provider("explicit", { accessToken, organization, baseUrl: url });
      new Cluster("other", { name: "Other" }, { provider });
    };
    const env = {
      BUILDPIPELINE_ACCESS_TOKEN: stack.emulator.accessToken,
      BUILDPIPELINE_ORGANIZATION: stack.emulator.organization,
    };
    const { output } = await stack.up(explicit, { env });
    await stack.preview(undefined, { env, expectNoChanges: true });
    await stack.refresh({ env, expectNoChanges: true });
    expect(`${output}${stack.files()}`).not.toContain(stack.emulator.accessToken);
    await stack.up(program, { env });
  });
});

describe("Topology on the real engine", () => {
  let stack: TestStack;
  let colleague: Colleague;
  beforeAll(async () => {
    stack = await TestStack.start();
    colleague = new Colleague(stack.emulator);
  });
  afterAll(() => stack.close());

  const program =
    (where: "one" | "two" = "one", wired: "resource" | "id" = "resource") =>
    async () => {
      const one = new Cluster("one", { name: "One" });
      const two = new Cluster("two", { name: "Two" });
      const cluster = { one, two }[where];
      const clusterId = wired === "resource" ? cluster : cluster.id;
      new Queue("queue", { clusterId, key: "same" });
      const token = new AgentToken("token", { clusterId, description: "same" });
      return { secret: token.token };
    };
  const clusterOf = async (name: string) => (await stack.state())[name]?.inputs.clusterId;

  test("a queue and a token move to another cluster with the same key", async () => {
    const before = (await stack.up(program("one"))).outputs.secret;
    const { outputs } = await stack.up(program("two"));
    const { two } = await stack.state();
    expect(await clusterOf("queue")).toBe(two?.id);
    expect(await clusterOf("token")).toBe(two?.id);
    expect(outputs.secret).not.toBe(before);
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("a cluster deleted by hand heals", async () => {
    const { two } = await stack.state();
    await colleague.sends("DELETE", `/clusters/${two?.id}`);
    await stack.refresh();
    expect(Object.keys(await stack.state())).toEqual(["one"]);
    await stack.up(program("two"));
    expect(Object.keys(await stack.state()).sort()).toEqual(["one", "queue", "token", "two"]);
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("destroying a cluster that its queues were given is one request", async () => {
    stack.requests();
    await stack.destroy();
    expect(stack.requests().filter((request) => request.startsWith("DELETE"))).toHaveLength(2);
    expect(await colleague.list("/clusters")).toEqual([]);
  });

  test("destroy leaves nothing when ids were wired", async () => {
    await stack.up(program("one", "id"));
    await stack.destroy();
    expect(await stack.state()).toEqual({});
    expect(await colleague.list("/clusters")).toEqual([]);
  });

  test("a queue in a cluster that outlives the stack is deleted by itself", async () => {
    const cluster = await colleague.sends("POST", "/clusters", { name: "Shared" });
    await stack.up(async () => {
      const shared = Cluster.get("shared", String(cluster.id));
      new Queue("mine", { clusterId: shared, key: "mine" });
    });
    await stack.destroy();
    expect(await colleague.list(`/clusters/${cluster.id}/queues`)).toEqual([]);
    expect(await colleague.list("/clusters")).toHaveLength(1);
  });

  test("a destroy with a refused access token keeps the cluster, and goes on later", async () => {
    await stack.up(program("one"));
    const env = { BUILDPIPELINE_ACCESS_TOKEN: "bkua_refused" };
    const message = await stack.refused(stack.destroy({ env }));
    expect(message).toContain("401");
    expect(Object.keys(await stack.state())).toEqual(expect.arrayContaining(["one", "two"]));
    await stack.destroy({ env: { BUILDPIPELINE_ACCESS_TOKEN: stack.emulator.accessToken } });
    expect(await stack.state()).toEqual({});
    expect((await colleague.list("/clusters")).map(({ name }) => name)).toEqual(["Shared"]);
  });

  test("moving an organisation is refused unless it is allowed", async () => {
    const other = await TestStack.start({ organization: "other" });
    try {
      await stack.up(async () => {
        new Cluster("moves", { name: "Moves" });
      });
      const env = {
        BUILDPIPELINE_ORGANIZATION: "other",
        BUILDPIPELINE_BASE_URL: other.emulator.url,
        BUILDPIPELINE_ACCESS_TOKEN: other.emulator.accessToken,
      };
      const moves = async () => {
        new Cluster("moves", { name: "Moves" });
      };
      expect(await stack.refused(stack.preview(moves, { env }))).toContain("allowOrganizationChange");
      await stack.configure("buildpipeline:allowOrganizationChange", "true");
      const { steps } = await stack.preview(moves, { env });
      expect(steps.moves).toContain("replace");
    } finally {
      await other.close();
    }
  });
});
