import { describe, expect, test } from "vitest";
import * as programSide from "../../src/index.js";
import { Declarations } from "./compiler.js";

const CLIENT = "dist/client/index.d.ts";
const MAIN = "dist/index.d.ts";
const NATIVE = "dist/provider/native/index.d.ts";
const EMULATOR = "dist/emulator/index.d.ts";

/** What an editor shows in a project that has installed the package: it sees the built declarations, never the source. */
const built = new Declarations([CLIENT, MAIN, NATIVE, EMULATOR], "tsconfig.build.json");

/** The type and the documentation of each field, as `Type.field`. */
const shown = (file: string, ...fields: readonly string[]) =>
  fields.map((field) => {
    const [type = "", name = ""] = field.split(".");
    const property = built.propertiesOf(file, type).find((one) => one.name === name);
    if (property === undefined) throw new Error(`${type} has no ${name}.`);
    return { field, type: built.typeOf(property), documentation: built.documentation(property) };
  });

test("The client's results and bodies show the type and the documentation of their fields", () => {
  const expected = {
    "Queue.key": "string",
    "Queue.created_by": "User | null | undefined",
    "Queue.dispatch_paused_note": "string | null | undefined",
    "CreatedAgentToken.token": "string",
    "CreatedAgentToken.cluster_url": "string | null | undefined",
    "TeamWriteResult.id": "string | undefined",
    "TeamWriteResult.default": "boolean | null | undefined",
    "Build.jobs": "Job[] | null | undefined",
    "Job.runnable_at": "string | null | undefined",
    "PipelineProvider.webhook_url": "string | null | undefined",
    "ClusterUpdate.color": "string | null | undefined",
    "ClusterUpdate.default_queue_id": "string | null | undefined",
    "PipelineTemplateUpdate.available": "boolean | undefined",
    "SuiteUpdate.emoji": "string | null | undefined",
  };
  const fields = shown(CLIENT, ...Object.keys(expected));
  expect(Object.fromEntries(fields.map(({ field, type }) => [field, type]))).toEqual(expected);
  expect(fields.filter(({ documentation }) => documentation === "")).toEqual([]);
  expect(fields[3]?.documentation).toContain("so store it immediately");
  expect(built.documentation(built.exportsOf(CLIENT).get("Queue"))).not.toBe("");
});

test("The emulator's data shows its collections", () => {
  const [clusters] = shown(EMULATOR, "OrganizationData.clusters");
  expect(clusters?.type).toBe("Collection<ClusterRecord>");
});

/** The results of lookups, their parts, and the arguments. */
const types = [...built.exportsOf(MAIN).keys()].filter((name) => /^Get[A-Z]/.test(name));
const members = new Map(types.map((type) => [type, built.propertiesOf(MAIN, type)]));
const fields = [...members].flatMap(([type, properties]) => properties.map(({ name }) => `${type}.${name}`));
const lookups = Object.keys(programSide).filter((name) => /^get[A-Z]/.test(name));

test("the types of every lookup are looked at", () => {
  for (const name of lookups) {
    const type = `G${name.slice(1)}`;
    expect(types).toContain(`${type}Args`);
    if (!name.endsWith("Output")) expect(types).toContain(`${type}Result`);
  }
  for (const [type, properties] of members)
    if (type.endsWith("Result")) expect(properties, type).not.toEqual([]);
});

test("the plugin's entry has the same names, and its classes the same outputs", () => {
  const [main, plugin] = [MAIN, NATIVE].map((file) => [...built.exportsOf(file).keys()].sort());
  expect(plugin).toEqual(main?.filter((name) => name !== "LookupError"));
  const [ofPlugin, own] = [NATIVE, MAIN].flatMap((file) => shown(file, "Cluster.color"));
  expect(ofPlugin).toEqual(own);
  expect(ofPlugin?.documentation).toBe("Hex color code.");
});

test("every field of every result, every argument and every lookup shows its documentation", () => {
  expect(fields.length).toBeGreaterThan(200);
  const names = shown(MAIN, ...fields).filter(({ documentation }) => documentation === "");
  expect(names.map(({ field }) => field)).toEqual([]);
  const exported = built.exportsOf(MAIN);
  expect(lookups.filter((name) => built.documentation(exported.get(name)) === "")).toEqual([]);
});

describe("the results of the kinds", () => {
  test("have the types of the outputs of the resources, and leave open what the service may leave unset", () => {
    const expected = {
      "GetClusterResult.name": "string",
      "GetClusterResult.color": "string | undefined",
      "GetClusterResult.createdBy": "EmbeddedUser | undefined",
      "GetQueueResult.clusterId": "string",
      "GetQueueResult.dispatchPaused": "boolean",
      "GetTeamResult.privacy": '"visible" | "secret" | undefined',
      "GetTeamResult.defaultMemberRole": '"member" | "maintainer" | undefined',
      "GetTeamResult.id": "string",
    };
    const found = shown(MAIN, ...Object.keys(expected));
    expect(Object.fromEntries(found.map(({ field, type }) => [field, type]))).toEqual(expected);
    expect(found[1]?.documentation).toBe("Hex color code.");
  });

  test("have no secrets, and no arguments that the service never returns", () => {
    const left = ["GetAgentTokenResult.token", "GetAgentTokenResult.triggers", "GetSuiteResult.apiToken"];
    expect(fields.filter((name) => [...left, "GetSuiteResult.teamIds"].includes(name))).toEqual([]);
    expect(fields).toContain("GetAgentTokenResult.allowedIpAddresses");
  });
});
