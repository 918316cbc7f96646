import { describe, expect, test } from "vitest";
import { Monitor } from "./monitor.js";
import { Served, urnInNoStack as urnOf } from "./served.js";

type Call = (engine: Served, cluster: string) => Promise<unknown>;

/** The calls of `pulumi do` that name a cluster. */
const calls: Readonly<Record<string, Call>> = {
  list: (engine, clusterId) => engine.list("Queue", { clusterId }),
  read: (engine, cluster) => engine.read(urnOf("Queue"), `${cluster}/linux`),
  "call a function": (engine, name) => engine.invoke("getCluster", { name }),
  create: (engine, name) => {
    const [main] = engine.emulator.organizationData.clusters.list();
    return engine.deploy(urnOf("Queue"), { clusterId: name === "Main" ? main?.id : name, key: "small" });
  },
};

/** An organization with a cluster, and two that have one name. */
async function organization(): Promise<Served> {
  const engine = await Served.configured();
  for (const name of ["Main", "Twin", "Twin"]) {
    const { id } = await engine.colleague.sends("POST", "/clusters", { name });
    await engine.colleague.sends("POST", `/clusters/${id}/queues`, { key: "linux" });
  }
  engine.emulator.clearRequests();
  return engine;
}

/** Returns the one line with which a call fails, before anything was written. */
async function refusal({ emulator }: Served, work: Promise<unknown>): Promise<string> {
  const failure: Error = await work.then(
    () => Promise.reject(new Error("It was done.")),
    (error) => error,
  );
  const text = String(Reflect.get(failure, "details") ?? failure.message);
  // A command has no program, whose options a message could advise to change.
  expect(text).not.toMatch(/\n|\bat \S+ \(|undefined|remove import/);
  expect(emulator.organizationData.queues.list().filter(({ key }) => key === "small")).toEqual([]);
  return text;
}

const all = (message: string | RegExp) =>
  Object.fromEntries(Object.keys(calls).map((name) => [name, message]));

test("A resource is refused whose name was made of an Output", async () => {
  const engine = await Served.configured();
  const name = "a-Calling __str__ on an Output[T] is not supported.";
  const { failures } = await engine.check(`urn:pulumi:dev::project::buildpipeline:index:Cluster::${name}`, {
    name: "Linux",
  });
  const reason = expect.stringContaining("Cluster: the resource's name has what a text makes of an Output");
  expect(failures).toEqual([{ property: "", reason }]);
});

interface Wrong {
  readonly what: string;
  readonly cluster: string;
  readonly messages: Readonly<Record<string, string | RegExp>>;
  readonly prepare?: (engine: Served) => Promise<unknown>;
}

const wrong: readonly Wrong[] = [
  {
    what: "a cluster that doesn't exist",
    cluster: "Mian",
    messages: {
      list: 'Queue.clusterId: the organization "acme" has no cluster "Mian" that this access token can see. Similar: "Main"',
      read: 'no cluster "Mian" that this access token can see. Similar: "Main"',
      "call a function": 'getCluster({ name: "Mian" }): none of the 3 clusters',
      create: 'Queue.clusterId: "Mian" is not',
    },
  },
  {
    what: "a name that two clusters have",
    cluster: "Twin",
    messages: {
      list: 'Queue.clusterId: 2 clusters are called "Twin". Name one by its id:',
      read: '2 queues are called "Twin/linux". Name one by its id:',
      "call a function": /getCluster\(\{ name: "Twin" \}\): .*2/,
      create: 'Queue.clusterId: "Twin" is not',
    },
  },
  {
    what: "a refused access token",
    cluster: "Main",
    messages: all("401"),
    prepare: (engine) => engine.configure({ accessToken: "refused" }),
  },
  {
    what: "a service that is down",
    cluster: "Main",
    messages: all(/: connect ECONNREFUSED .* did not reach the service\. Check baseUrl/),
    prepare: ({ emulator }) => emulator.close(),
  },
];

describe.each(wrong)(
  "With $what, one line says so and nothing is written:",
  ({ cluster, messages, prepare }) => {
    test.each(Object.entries(calls))("%s", async (name, send) => {
      const engine = await organization();
      await prepare?.(engine);
      expect(await refusal(engine, send(engine, cluster))).toMatch(messages[name] ?? /no message/);
    });
  },
);

test("Without an organization, the configuration is refused", async () => {
  const engine = await Served.start();
  const text = await refusal(engine, engine.configure({ organization: "" }));
  expect(text).toContain("buildpipeline:organization is not set");
});

test("A mistyped token is an error that suggests the right one", async () => {
  const engine = await organization();
  const monitor = await Monitor.start();
  const mistyped: readonly (readonly [Promise<unknown>, string])[] = [
    [engine.list("Que"), "Did you mean buildpipeline:index:Queue?"],
    [engine.read(urnOf("Que"), "Main/linux"), "Did you mean buildpipeline:index:Queue?"],
    [engine.check(urnOf("Que"), {}), "Did you mean buildpipeline:index:Queue?"],
    [engine.invoke("getQueus"), "There is no function buildpipeline:index:getQueus."],
    [monitor.construct(engine, {}, { type: "buildpipeline:index:Rotating" }), "There is no component"],
  ];
  for (const [work, message] of mistyped) expect(await refusal(engine, work)).toContain(message);
  expect(engine.emulator.requests).toEqual([]);
});
