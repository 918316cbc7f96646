import { expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { around, type Properties, VALUES } from "../../provider/lifecycle/argument-values.js";
import { kindOf, type Made, ServiceOfTest } from "../../support/driver.js";
import { type Found, refreshes } from "./refreshed.js";
import { repository, repositoryForEach } from "./repository.js";

repositoryForEach();

/** Two values of the arguments that have a request of their own. */
const OTHERS: Readonly<Record<string, readonly [Properties, Properties]>> = {
  Queue: [
    { dispatchPaused: false, dispatchPausedNote: undefined },
    { dispatchPaused: true, dispatchPausedNote: "Incident 12" },
  ],
  NotificationService: [{ enabled: true }, { enabled: false }],
  PipelineSettings: [
    { hostedAgentsTerminalAccess: false, publicPipelineCreation: false },
    { hostedAgentsTerminalAccess: true, publicPipelineCreation: true },
  ],
  ApiSettings: [
    { allowedIpAddresses: ["192.0.2.0/24"], reachableFrom: "unknown" },
    { allowedIpAddresses: ["198.51.100.0/24"], reachableFrom: "unknown" },
  ],
};

/** Each argument that a program may leave to others, and that a refresh sees then. */
const LEFT = [...kinds.values()].flatMap(({ name, arguments: fields }) =>
  Object.entries(fields).flatMap(([argument, field]) =>
    field.whenOmitted === "unmanaged" &&
    field.returnedAs !== undefined &&
    !field.secret &&
    field.mayBeLeftOut !== "unless stated"
      ? [{ kind: name, argument, byOperator: field.byOperator === true }]
      : [],
  ),
);

/** Secret outputs, as the engine shows them. */
const secretsOf = (kind: string) =>
  Object.fromEntries(
    Object.entries({ ...kindOf(kind).arguments, ...kindOf(kind).outputs }).flatMap(([name, { secret }]) =>
      secret ? [[name, "[secret]"]] : [],
    ),
  );

/** Declares an object without an argument, and reads it after somebody changed that. */
async function changedOutside(kind: string, argument: string): Promise<Found> {
  const service = new ServiceOfTest();
  await service.start({ variations: { teamReturnsWritableFields: true } });
  try {
    const clusters: string[] = [];
    for (const name of ["Here", "There"])
      clusters.push((await service.driver.create("Cluster", { name })).id);
    const [[args = {}, others = {}], [more = {}, changed = {}]] = [
      VALUES[kind]?.(clusters, await around(service)) ?? [],
      OTHERS[kind] ?? [],
    ];
    // A hosted queue has no affinity.
    const given = { ...args, ...more, ...(argument === "retryAgentAffinity" && { hostedAgents: undefined }) };
    const update = async (made: Made, news: Properties) => {
      const { inputs = {} } = await (await service.newRun().kind(kind)).check(made.inputs, news);
      const { outs = {} } = await (await service.newRun().kind(kind)).update(made.id, made.outs, inputs);
      return { ...made, inputs, outs };
    };
    const stated = await service.driver.create(kind, given);
    const left = argument in more ? Object.keys(more) : [argument];
    const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !left.includes(name)));
    const made = await update(stated, rest);
    if (kind === "AgentToken")
      // Only the web interface can.
      service.emulator.organizationData.agentTokens.update(made.id, { expires_at: String(others[argument]) });
    // A colleague, by the requests of another program.
    else
      await update(stated, {
        ...given,
        ...(argument in more ? changed : { [argument]: others[argument] }),
      });
    const { inputs, props = {} } = await service.newRun().read(made);
    expect({ argument, inputs }).toEqual({ argument, inputs: made.inputs });
    const shown = (outs: Properties) => ({ ...outs, ...secretsOf(kind) });
    return { kind, id: made.id, inputs: made.inputs, outputs: [shown(made.outs), shown(props)] };
  } finally {
    await service.emulator.close();
  }
}

test("ci drift lists what somebody changes of each argument that the program leaves out, and an operator's without a verdict", async () => {
  const found: Found[] = [];
  for (const { kind, argument } of LEFT) found.push(await changedOutside(kind, argument));
  const listed = async (some: readonly Found[]) => {
    refreshes(some);
    const { ends } = await repository.outcomes("drift");
    const { outOfBand } = JSON.parse(repository.read("acme-queues.production", "report.json"));
    return { end: ends.queues, outOfBand };
  };
  const { end, outOfBand } = await listed(found);
  expect(end).toBe("changed");
  const missing = LEFT.filter(
    ({ argument, byOperator }, index) =>
      !outOfBand.some(
        (one: { urn: string; byOperator: boolean; properties: { name: string }[] }) =>
          one.urn.endsWith(`::r${index}`) &&
          one.byOperator === byOperator &&
          one.properties.some(({ name }) => name === argument),
      ),
  );
  expect(missing).toEqual([]);

  const operated = await listed(found.filter((_, index) => LEFT[index]?.byOperator));
  expect(operated.outOfBand.length).toBeGreaterThan(2);
  expect(operated.end).toBe("unchanged");
});
