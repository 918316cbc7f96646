import { describe, expect, test } from "vitest";
import type { AnyKind } from "../../../src/provider/lifecycle/values/kinds.js";
import { type Driver, failure, groupOf, kindOf, type Made, serviceForEach } from "../../support/driver.js";

const service = serviceForEach();

type Properties = Record<string, unknown>;

/** Long enough that the end of a message cuts it off. */
const YAML = Array.from({ length: 40 }, (_, line) => `  - command:   "deploy --key s3cret-line-${line}"`);

/** Each kind with a value for each argument: those that can be secret contain `s3cret`. */
const KINDS: Readonly<Record<string, Properties>> = {
  Cluster: { name: "S3cret Cluster", description: "about s3cret" },
  Queue: { key: "s3cret-key", description: "about s3cret" },
  AgentToken: { description: "s3cret farm" },
  PipelineTemplate: {
    name: "S3cret",
    configuration: `steps:\n${YAML.join("\n")}\n`,
    description: "about\ns3cret",
  },
  Team: {
    ...{ name: "S3cret Team", description: "about s3cret", privacy: "visible", isDefaultTeam: false },
    ...{ defaultMemberRole: "member", membersCanCreatePipelines: false },
  },
  Suite: { name: "S3cret Suite", defaultBranch: "s3cret", applicationName: "s3cret app" },
};

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

function isSecret(text: string): boolean {
  return /s3cret/i.test(text);
}

/** A message, and whatever else the run printed. */
async function printed({ warnings, observed }: Driver, call: Promise<unknown>): Promise<string> {
  return [await failure(call), ...warnings, ...observed].join("\n");
}

const secretNames = ({ arguments: fields }: AnyKind, args: Properties) =>
  Object.keys(fields).filter((name) => isSecret(String(args[name])));

describe.each(Object.entries(KINDS))(
  "every argument of a %s is secret, and the API repeats what it was sent",
  (kind, args) => {
    const group = groupOf(kind);

    async function inputsIn() {
      const { id: clusterId } = await service.driver.create("Cluster", { name: "around" });
      const given = { ...args, ...(kindOf(kind).parent && { clusterId }) };
      return { ...given, organization: "acme", __secrets: secretNames(kindOf(kind), given) };
    }

    async function created(): Promise<Made> {
      const inputs = await inputsIn();
      const { id, outs = {} } = await (await service.driver.kind(kind)).create(inputs);
      return { kind, id, inputs, outs };
    }

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
      const texts = Object.entries(args).filter(([name, value]) => name !== "key" && isSecret(String(value)));
      const news = Object.fromEntries(texts.map(([name, value]) => [name, `${value} more s3cret`]));
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
