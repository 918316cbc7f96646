import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { kindOf, type Made, ServiceOfTest } from "../../support/driver.js";
import { type Properties, valuesIn } from "../../support/each-kind.js";
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
    const [args, others] = await valuesIn(service, kind);
    const [more = {}, changed = {}] = OTHERS[kind] ?? [];
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
      await update(stated, { ...given, ...(argument in more ? changed : { [argument]: others[argument] }) });
    const { inputs, props = {} } = await service.newRun().read(made);
    // A read without inputs leaves those of the state.
    expect({ argument, inputs: inputs ?? made.inputs }).toEqual({ argument, inputs: made.inputs });
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

test("ci drift sees a setting that the program doesn't name beside one that it does", async () => {
  const service = new ServiceOfTest();
  await service.start({});
  try {
    const settings = { buildTags: true };
    const args = { name: "Shop", repository: "git@github.com:acme/shop.git", providerSettings: settings };
    const made = await service.driver.create("Pipeline", args);
    const change = (buildTags: boolean, build_pull_request_forks: boolean) =>
      service.colleague.sends("PATCH", `/pipelines/${made.outs.slug}`, {
        provider_settings: { build_tags: buildTags, build_pull_request_forks },
      });
    const found = async (outs: Properties): Promise<Found> => {
      const { inputs: now = {}, props = {} } = await service.newRun().read({ ...made, outs });
      const shown = (all: Properties) => ({ ...all, ...secretsOf("Pipeline") });
      const { id, inputs } = made;
      const outputs = [shown(outs), shown(props)] as const;
      const { providerSettings } = now;
      const isSame = isDeepStrictEqual(providerSettings, settings);
      return { kind: "Pipeline", id, inputs, outputs, ...(!isSame && { differs: { providerSettings } }) };
    };
    const reported = async (one: Found) => {
      refreshes([one]);
      const { ends } = await repository.outcomes("drift");
      return { end: ends.queues, report: repository.read("acme-queues.production", "report.md") };
    };

    await change(true, true);
    const opened = await found(made.outs);
    const forks = await reported(opened);
    expect(forks.end).toBe("changed");
    expect(forks.report).toMatch(
      /^## 🔴 Drift: Pipeline <code>Shop<\/code> builds pull requests from forks/m,
    );
    expect(forks.report).toMatch(
      /not managed by it \(1\)[\s\S]*providerSettings.buildPullRequestForks: .*false.*true/,
    );

    // Afterwards, it is a line.
    const [, now = {}] = opened.outputs;
    const later = await reported(await found({ ...now }));
    expect(later.end).toBe("unchanged");
    expect(later.report).toContain("(<code>providerSettings.buildPullRequestForks</code>)");

    // One that it names is its own drift, and each is said once.
    await change(false, true);
    const both = await reported(await found(made.outs));
    expect(both.report.match(/buildPullRequestForks/g)).toHaveLength(1);
    expect(both.report).toMatch(/providerSettings.buildTags: <code>true<\/code> → <code>false/);

    // A state of an earlier version doesn't have it, so nobody knows whether it changed.
    const { __unnamed: _, ...old } = made.outs;
    await change(true, true);
    expect((await reported(await found(old))).end).toBe("unchanged");
  } finally {
    await service.emulator.close();
  }
});
