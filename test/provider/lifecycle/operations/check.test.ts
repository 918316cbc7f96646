import { asset } from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../../src/emulator/index.js";
import { Driver, failure, IMPATIENT_MS, minimal, UNKNOWN } from "../../../support/driver.js";

const ADDRESSES = "AgentToken.allowedIpAddresses";
const CLUSTER = "11111111-2222-4333-8444-555555555555";
/** An asset as it travels. */
const ASSET = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "x" };
let emulator: Emulator;
let driver: Driver;

beforeAll(async () => {
  emulator = await startEmulator();
  driver = Driver.for(emulator);
});
afterAll(() => emulator.close());

describe("bad input is an error with resource, property, value, problem and fix", () => {
  const many = Array.from({ length: 25 }, (_, n) => `10.0.0.${n}`);

  test.each<[argument: string, value: unknown, says: string | RegExp]>([
    ["Cluster.name", undefined, "is required. Give text"],
    ["Cluster.name", " ", '" " is blank; expected text'],
    [ADDRESSES, [null], "[0]: is null; expected"],
    ["Cluster.name", 7, "7 is a number; expected text"],
    ["Cluster.name", Number.NaN, "NaN is a number; expected text"],
    ["Pipeline.defaultCommandStepTimeout", Number.POSITIVE_INFINITY, "Infinity is not a whole number"],
    ["Cluster.color", "green", '"green" is not a hex color code such as "#14cc80"'],
    ["Cluster.forceDestroy", "yes", '"yes" is a string'],
    [
      "Cluster.emoji",
      "penguin",
      /"penguin" is neither in emoji syntax nor one emoji character; .*":rocket:"/,
    ],
    ["Cluster.descripton", "y", /.* Did you mean description\?/],
    ["Cluster.graphqlId", "y", "is an output"],
    ["Queue.clusterId", "linux", /"linux" is not a UUID; .*Cluster/],
    ["Queue.key", "", '"" is empty; expected letters'],
    ["Queue.key", "a b", '"a b" has characters that a key cannot have; expected letters'],
    ["Queue.dispatchPaused", "yes", '"yes" is a string'],
    ["Queue.dispatch_paused", true, /.* Did you mean dispatchPaused\?/],
    ["ClusterDefaultQueue.queueId", undefined, "is required"],
    ["AgentToken.description", undefined, "is required"],
    [ADDRESSES, ["10.0.0.0/16", "10.0.0.300"], '[1]: "10.0.0.300" is not an IPv4 network in CIDR notation'],
    [ADDRESSES, "10.0.0.0/16", '"10.0.0.0/16" is a string; expected a list'],
    [ADDRESSES, many, /\["10\.0\.0\.0".*… has more than the 24/],
    [ADDRESSES, ["010.0.0.1"], '[0]: "010.0.0.1" has a leading zero, which is ambiguous'],
    [ADDRESSES, ["10.0.0.01"], '[0]: "10.0.0.01" has a leading zero, which is ambiguous'],
    [ADDRESSES, ["192.168.001.0/24"], '[0]: "192.168.001.0/24" has a leading zero'],
    ["AgentToken.triggers", ["x"], '["x"] is a list'],
    // The constructor waits for an output, but a program in another language has no constructor of ours.
    ["AgentToken.triggers", { of: [ASSET] }, ".of[0]: is an asset or archive"],
    ["PipelineTemplate.configuration", new asset.StringAsset("steps: []"), "is an asset or archive"],
    ["PipelineTemplate.configuration", undefined, "is required"],
    [
      "PipelineTemplate.configuration",
      "steps:\n  - a: [",
      /is not valid YAML at line \d+, .*: " {2}- a: \["; expected YAML/,
    ],
    ["PipelineTemplate.configuration", "steps: *nothing\n", /has an alias .* without an anchor/],
    ["Team.privacy", "public", /"public" is not one of .*"visible" or "secret"/],
    ["Team.defaultMemberRole", "admin", /"admin" is .*"member" or "maintainer"/],
    ["Suite.defaultBranch", undefined, "is required"],
    ["Suite.teamIds", ["x"], '[0]: "x" is not a UUID'],
    ["Suite.emoji", "ab", '"ab" is neither'],
  ])("%s %o", async (argument, value, says) => {
    const [kind = "", name = ""] = argument.split(".");
    const [reason = "", ...others] = await driver.failures(kind, {
      ...{ ...minimal(CLUSTER, CLUSTER)[kind], [name]: value },
      __secrets: [],
    });
    expect(others).toEqual([]);
    expect(reason.startsWith(argument)).toBe(true);
    const rest = reason.slice(argument.length).replace(/^: /, "");
    if (typeof says === "string") expect(rest.startsWith(says), reason).toBe(true);
    else expect(rest).toMatch(new RegExp(`^${says.source}`));
  });

  test("and a template's text is at most a mebibyte long, and has no key twice and no alias of itself", async () => {
    const reasons = (configuration: string) =>
      driver.failures("PipelineTemplate", { name: "n", configuration });
    const text = (length: number) => `# ${"x".repeat(length - 3)}\n`;
    expect(await reasons(text(1024 * 1024))).toEqual([]);
    expect((await reasons(text(1024 * 1024 + 1))).join()).toContain("is longer than 1048576 characters");
    const keys = Array.from({ length: 20_000 }, (_, index) => `key${index}: ${index}\n`).join("");
    expect(await reasons(keys)).toEqual([]);
    const twice = "is not valid YAML at line 20001 (DUPLICATE_KEY)";
    expect((await reasons(`${keys}key7: again\n`)).join()).toContain(twice);
    const within = "has an alias (*name) within its own anchor";
    expect((await reasons("a: &a\n- b: &b { c: *a }\n")).join()).toContain(within);
    expect((await reasons("a: &a { <<: *a }\n")).join()).toContain(within);
    // The second anchor of a name takes its place.
    expect(await reasons("a: &a\n- &a x\n- *a\n")).toEqual([]);
  });

  test("and its value is shown only with the constructor's word that it is no secret", async () => {
    const inputs = { color: "s3cret-color", emoji: "other-emoji" };
    const observed = async (word: object, olds = {}) =>
      (await driver.failures("Cluster", { ...inputs, ...word }, olds)).join();
    expect(await observed({ __secrets: [] })).toMatch(/"s3cret-color" is not .*"other-emoji" is neither/s);
    expect(await observed({ __secrets: ["color"] })).toMatch(/color: is not .*"other-emoji" is neither/s);
    expect(await observed({ __secrets: ["color", "emoji"] })).not.toMatch(/s3cret|other/);
    expect(await observed({})).toMatch(/Cluster\.color: is not .*Cluster\.emoji: is neither/s);
    expect(await observed({})).not.toMatch(/s3cret|other/);
    // What ignoreChanges takes out of the state, the constructor has not seen.
    expect(await observed({ __secrets: [] }, { ...inputs, organization: "acme" })).not.toMatch(
      /s3cret|other/,
    );
  });

  test("and names no property beside the reason, for which the engine would print the value", async () => {
    const provider = await driver.kind("Cluster");
    const { failures } = await provider.check({}, { name: "x", color: "s3cret-in-the-wrong-place" });
    expect(failures).toEqual([{ property: "", reason: expect.not.stringContaining("s3cret") }]);
  });
});

test.each([
  ["Cluster", { name: UNKNOWN, color: UNKNOWN }],
  ["Queue", { clusterId: UNKNOWN, key: UNKNOWN, dispatchPaused: UNKNOWN }],
  ["AgentToken", { clusterId: UNKNOWN, description: UNKNOWN, allowedIpAddresses: [UNKNOWN] }],
  ["AgentToken", { clusterId: UNKNOWN, description: UNKNOWN, triggers: { a: UNKNOWN } }],
  ["PipelineTemplate", { name: "n", configuration: { steps: [{ command: UNKNOWN }] } }],
  ["Team", { name: UNKNOWN, privacy: UNKNOWN }],
  ["Suite", { name: "s", defaultBranch: UNKNOWN, teamIds: [UNKNOWN] }],
])("unknown values of a %s pass", async (kind, inputs) => {
  expect(await driver.failures(kind, inputs)).toEqual([]);
});

test.each<[argument: string, value: unknown]>([
  ...["🧪", ":test_tube:", "👩‍💻", "🇳🇱"].flatMap((emoji): [string, string][] => [
    ["Suite.emoji", emoji],
    // The web interface stores it, so whoever imports a cluster finds it there.
    ["Cluster.emoji", emoji],
  ]),
  [ADDRESSES, ["0.0.0.0/0", "10.0.0.0/8"]],
])("%s takes %o", async (argument, value) => {
  const [kind = "", name = ""] = argument.split(".");
  const run = Driver.for(emulator);
  expect(await run.failures(kind, { ...minimal(UNKNOWN, UNKNOWN)[kind], [name]: value })).toEqual([]);
});

describe("scopes", () => {
  test("an unchanged resource needs no more than reading", async () => {
    const reader = Driver.for(emulator, { "buildpipeline:accessToken": emulator.readOnlyAccessToken });
    const olds = { name: "x", organization: emulator.organization };
    expect(await reader.failures("Cluster", { name: "x" }, olds)).toEqual([]);
    const reasons = [expect.stringContaining("write_clusters")];
    expect(await reader.failures("Cluster", { name: "y" }, olds)).toEqual(reasons);
  });

  test("that the service never tells delay the preview by one request only", async () => {
    const run = Driver.for(emulator, {}, undefined, { timeoutMs: IMPATIENT_MS });
    const fault = emulator.fault({ operation: "accessToken.get", times: 100, action: "hang" });
    const unchanged = (name: string) => run.failures("Cluster", { name }, { name, organization: "acme" });
    expect((await Promise.all(["a", "b", "c"].map(unchanged))).flat()).toEqual([]);
    expect(run.warnings).toEqual([expect.stringContaining("scopes")]);
    const [reason] = await run.failures("Cluster", { name: "new" });
    expect(reason).toContain("the API can't be reached");
    expect(fault.hits).toBe(1);
    fault.remove();
  });
});

describe("settings", () => {
  test.each([
    ["http://example.test", /would carry the access token unencrypted to example\.test/],
    ["api.example.com", /is not an address/],
    ["ftp://127.0.0.1", /Use https/],
  ])("that cannot be used safely are errors in a preview: %s", async (baseUrl, expected) => {
    const driver = Driver.for(emulator, { "buildpipeline:baseUrl": baseUrl });
    expect(await failure(driver.failures("Cluster", { name: "x" }))).toMatch(expected);
  });

  test("errors are one clean line for the host, which prints stacks", async () => {
    const provider = await new Driver({}).kind("Cluster");
    const error = await provider.check({}, {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "", stack: "" });
  });
});
