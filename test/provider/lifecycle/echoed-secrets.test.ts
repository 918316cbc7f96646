import { describe, expect, test } from "vitest";
import type { AnyKind } from "../../../src/provider/for-commands/kinds.js";
import { hasSecret } from "../../../src/shared/protocol/encoded-values.js";
import { someOf } from "../../support/cases.js";
import {
  type Driver,
  failure,
  groupOf,
  kindOf,
  type Made,
  minimalOfAll,
  serviceForEach,
} from "../../support/driver.js";

const service = serviceForEach();

type Properties = Record<string, unknown>;

/** Each kind with a value for each argument: those that can be secret contain a word. */
const KINDS: Readonly<Record<string, (word: string) => Properties>> = {
  Cluster: (word) => ({ name: `${word} Cluster`, description: `about ${word}` }),
  Queue: (word) => ({ key: `${word}-key`, description: `about ${word}` }),
  AgentToken: (word) => ({ description: `${word} farm` }),
  PipelineTemplate: (word) => ({
    name: word,
    configuration: `steps:\n${linesWith(word)}`,
    description: `about\n${word}`,
  }),
  Team: (word) => ({
    ...{ name: `${word} Team`, description: `about ${word}`, privacy: "visible", isDefaultTeam: false },
    ...{ defaultMemberRole: "member", membersCanCreatePipelines: false },
  }),
  Suite: (word) => ({ name: word, defaultBranch: word, applicationName: `${word} app` }),
  Pipeline: (word) => ({
    ...{ name: word, repository: `https://git.example/${word}.git`, clusterId: "", description: word },
    ...{ configuration: `steps:\n${linesWith(word)}`, defaultBranch: word, branchConfiguration: word },
    ...{ onDelete: "delete", tags: [word], cloneMirrorUrl: `https://mirror.example/${word}.git` },
  }),
  PipelineSchedule: (word) => ({
    ...{ cronline: "@daily", label: word, branch: word, message: word, env: { A: word } },
  }),
  ClusterSecret: (word) => ({ key: word, value: `${word} value`, description: `about ${word}` }),
  NotificationService: (word) => ({
    ...{ provider: "webhook", scope: "all", settings: { url: `https://${word}.example/events` } },
    ...{
      secretSettings: { token: `${word} value` },
      description: `about ${word}`,
      branchConfiguration: word,
    },
  }),
};

/** Long enough that the end of a message cuts it off. */
function linesWith(word: string): string {
  return Array.from({ length: 40 }, (_, line) => `  - command:   "deploy --key ${word}-line-${line}"\n`).join(
    "",
  );
}

/** A word that is only a word may be taken for one of ours. */
const WORDS = ["S3cret", "Flamingo"];
const isSecret = (text: string) => /s3cret|flamingo/i.test(text);

/** The arguments that name what an object is in or with, of objects that exist. */
async function placed(kind: string, args: Properties): Promise<Properties> {
  const { [kind]: least = {} } = await minimalOfAll(service);
  const { arguments: fields, parent } = kindOf(kind);
  const places = Object.keys(fields).filter((name) => name === parent?.argument);
  return { ...Object.fromEntries(places.map((name) => [name, least[name]])), ...args };
}

/** Has the service refuse an operation with everything that it was sent: the body, and the address. */
function echo(operation: string, status: number, form: "json" | "text"): void {
  let said = "";
  service.emulator.fault({
    operation,
    times: 20,
    matches: ({ path, body }) => {
      const sent = Object.values(Object(body)).map(String).join("\n");
      said = `${path}: ${form === "json" ? JSON.stringify(body) : sent}`;
      return true;
    },
    action: {
      status,
      get body() {
        return { message: `Invalid: ${said}`, errors: [{ field: "body", value: said }] };
      },
    },
  });
}

/** A message, and whatever else the run printed. */
async function printed({ warnings, observed }: Driver, call: Promise<unknown>): Promise<string> {
  return [await failure(call), ...warnings, ...observed].join("\n");
}

const secretNames = ({ arguments: fields }: AnyKind, args: Properties) =>
  Object.keys(fields).filter((name) => isSecret(JSON.stringify(args[name]) ?? ""));

describe.each(someOf(Object.keys(KINDS).flatMap((kind) => WORDS.map((word) => [kind, word] as const))))(
  "every argument of a %s is secret, with the word %s, and the API repeats what it was sent",
  (kind, word) => {
    const group = groupOf(kind);
    const args = KINDS[kind]?.(word) ?? {};

    async function inputsIn() {
      const given = await placed(kind, args);
      return { ...given, organization: "acme", __secrets: secretNames(kindOf(kind), given) };
    }

    async function created(): Promise<Made> {
      const inputs = await inputsIn();
      const { id, outs = {} } = await (await service.driver.kind(kind)).create(inputs);
      return { kind, id, inputs, outs };
    }

    /** What state and output show: the engine itself marks outputs that are secret as inputs. */
    function shownOf(outs: Properties): string {
      const names = secretNames(kindOf(kind), args);
      const plain = Object.entries(outs).filter(
        ([name, value]) => !names.includes(name) && !hasSecret(value),
      );
      return JSON.stringify(plain);
    }

    test("in nothing that a life without faults prints or leaves in plain", async () => {
      const run = service.newRun();
      const made = { ...(await created()), kind };
      expect(isSecret(shownOf(made.outs))).toBe(false);
      const { props = {} } = await run.read(made);
      expect(isSecret(shownOf(props))).toBe(false);
      await run.delete(made);
      expect(isSecret([...run.warnings, ...run.observed, ...service.driver.observed].join())).toBe(false);
    });

    test.each([
      [422, "json"],
      [422, "text"],
      [500, "json"],
      [503, "text"],
    ] as const)("in a %i to a creation (%s)", async (status, form) => {
      const inputs = await inputsIn();
      const provider = await service.driver.kind(kind);
      echo(`${group}.create`, status, form);
      expect(isSecret(await printed(service.driver, provider.create(inputs)))).toBe(false);
    });

    test.each([
      [422, "json"],
      [422, "text"],
      [500, "text"],
    ] as const)("in a %i to an update and a deletion (%s)", async (status, form) => {
      const run = service.newRun();
      const object = await created();
      echo(`${group}.update`, status, form);
      echo(`${group}.delete`, status, form);
      const texts = Object.entries(args).filter(
        ([name, value]) => name !== "key" && typeof value === "string" && isSecret(value),
      );
      const news = Object.fromEntries(texts.map(([name, value]) => [name, `${value} more ${word}`]));
      expect(isSecret(await printed(run, run.update(object, news)))).toBe(false);
      expect(isSecret(await printed(run, run.delete(object)))).toBe(false);
    });

    test("in a 500 to a read", async () => {
      const run = service.newRun();
      const object = await created();
      echo(`${group}.get`, 500, "text");
      echo(`${group}.list`, 500, "text");
      expect(isSecret(await printed(run, run.read(object)))).toBe(false);
    });
  },
);

test("what is not secret stays readable", async () => {
  const provider = await service.driver.kind("Cluster");
  echo("clusters.create", 422, "text");
  const secret = { description: "for s3cret", __secrets: ["description"] };
  const inputs = { name: "Linux", organization: "acme", ...secret };
  const message = await failure(provider.create(inputs));
  expect(message).toContain("Linux");
  expect(message).not.toContain("s3cret");
  expect(message).toMatch(/POST .*\/clusters failed with 422/);
});

describe.each([
  ["Pipeline", "PipelineSchedule", "pipelineId", { cronline: "@daily" }],
  ["Pipeline", "TeamPipeline", "pipelineId", { accessLevel: "read_only" }],
  ["Suite", "TeamSuite", "suiteId", { accessLevel: ["read"] }],
  ["Team", "ClusterMaintainer", "teamId", {}],
  ["Cluster", "Queue", "clusterId", { key: "small" }],
] as const)("the secret name of a %s, to which a %s refers", (named, kind, argument, rest) => {
  test("stays secret there, also in a refresh that reads nothing else", async () => {
    const run = service.newRun();
    const name = { name: "Flamingo", __secrets: ["name"] };
    const around = await minimalOfAll(service);
    const other = await run.create(named, { ...around[named], ...name });
    const { [kind]: { userId: _, ...least } = {} } = around;
    const made = await run.create(kind, { ...least, ...rest, [argument]: other.id, __secrets: [] });
    const plain = (outs: Properties) =>
      JSON.stringify(Object.entries(outs).filter(([, value]) => !hasSecret(value)));
    expect(plain(made.outs)).not.toMatch(/flamingo/i);
    const { props = {} } = await service.newRun().read(made);
    expect(plain(props)).not.toMatch(/flamingo/i);
    service.emulator.fault({ operation: `${groupOf(kind)}.delete`, action: { status: 422, body: {} } });
    const said = await failure(run.delete(made));
    expect([said, ...run.warnings, ...run.observed].join()).not.toMatch(/flamingo/i);
  });
});

describe.each(someOf(Object.keys(KINDS)))("our own words in a message about a %s stay", (kind) => {
  const OURS =
    "The cluster secret queue pipeline team suite agent token template schedule was updated in part failed with organizations";

  test("where a secret has them, and show nothing of it", async () => {
    const { arguments: fields, name } = kindOf(kind);
    const [text = ""] = ["description", "message", "applicationName"].filter((one) =>
      Object.hasOwn(fields, one),
    );
    const args = await placed(kind, KINDS[kind]?.("Plain") ?? {});
    const message = async (secret: string) => {
      const made = await service.newRun().create(name, args);
      const fault = {
        operation: `${groupOf(kind)}.update`,
        action: { status: 422, body: { message: `No ${secret}` } },
      };
      service.emulator.fault(fault);
      const inputs = { ...made.inputs, __secrets: [text] };
      const said = await failure(service.newRun().update({ ...made, inputs }, { [text]: secret }));
      await service.newRun().delete(made);
      return said.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "<id>");
    };
    expect(await message(OURS)).toBe(await message("hunter2hunter2"));
  });
});
