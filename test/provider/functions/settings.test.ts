import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import {
  Cluster,
  getClusters,
  getOrganization,
  getOrganizationOutput,
  Provider,
} from "../../../src/index.js";
import { settled, startEngine, surroundings } from "./surroundings.js";

const at = surroundings();
let other: Emulator;

beforeEach(async () => {
  other = await startEmulator({ organization: "other" });
});
afterEach(() => other.close());

function otherProvider(name = "other"): Provider {
  const { url, accessToken, organization } = other;
  return new Provider(name, { baseUrl: url, accessToken, organization });
}

function groupWith(...providers: readonly Provider[]): pulumi.ComponentResource {
  return new pulumi.ComponentResource("test:index:Group", "group", {}, { providers: [...providers] });
}

test("the stack's configuration comes before the environment, setting by setting", async () => {
  pulumi.runtime.setAllConfig(
    { "buildpipeline:baseUrl": `${other.url}/v2/`, "buildpipeline:accessToken": other.accessToken },
    ["buildpipeline:accessToken"],
  );
  process.env.BUILDPIPELINE_ORGANIZATION = "other";

  expect((await getOrganization()).slug).toBe("other");
  expect(at.emulator.requests).toEqual([]);
});

test("an explicit Provider comes before both, in both forms", async () => {
  const provider = otherProvider();

  expect((await getOrganization({}, { provider })).slug).toBe("other");
  const { value, secret } = await settled(getOrganizationOutput({}, { provider }));
  expect(value?.slug).toBe("other");
  expect(secret).toBe(false);
});

test("what an explicit Provider leaves out comes from the environment", async () => {
  const provider = new Provider("partly", { accessToken: at.emulator.readOnlyAccessToken });

  expect((await getOrganization({}, { provider })).slug).toBe("acme");
});

test("what an explicit Provider leaves out comes from the stack's configuration before the environment", async () => {
  pulumi.runtime.setAllConfig({
    "buildpipeline:baseUrl": other.url,
    "buildpipeline:organization": "other",
    "buildpipeline:accessToken": "not this one",
  });
  const provider = new Provider("partly", { accessToken: other.readOnlyAccessToken });

  expect((await getOrganization({}, { provider })).slug).toBe("other");
  expect(at.emulator.requests).toEqual([]);
});

test("a Provider hands resources what lookups get, the environment's share left to the provider's process", async () => {
  const registered: pulumi.runtime.MockResourceArgs[] = [];
  await pulumi.runtime.setMocks({
    newResource(resource) {
      registered.push(resource);
      return { id: resource.name, state: resource.inputs };
    },
    call: () => ({}),
  });
  pulumi.runtime.setAllConfig({
    "buildpipeline:organization": "of-the-stack",
    "buildpipeline:accessToken": "of-the-stack",
  });
  const parent = groupWith(new Provider("partly", { accessToken: "its-own" }));
  await settled(new Cluster("linux", { name: "Linux" }, { parent }).id);

  const ofType = (type: string) => registered.find((resource) => resource.type === type);
  expect(ofType("pulumi:providers:pulumi-nodejs")?.inputs).toEqual({
    // Marked as a secret, whether it was given as one or not.
    "buildpipeline:accessToken": expect.objectContaining({ value: "its-own" }),
    "buildpipeline:organization": "of-the-stack",
  });
  expect(ofType("pulumi-nodejs:dynamic/buildpipeline:Cluster")?.provider).toMatch(/::partly::/);
});

test("a parent hands its provider on", async () => {
  const parent = groupWith(otherProvider());

  expect((await getOrganization({}, { parent })).slug).toBe("other");
  expect((await settled(getOrganizationOutput({}, { parent }))).value?.slug).toBe("other");
  expect((await getOrganization({}, { parent: groupWith() })).slug).toBe("acme");
});

test("settings that are not known yet: an error in the plain form, unknown in the other", async () => {
  await startEngine({ preview: true });
  const maker = new Cluster("new-cluster", { name: "Linux" });
  const provider = new Provider("later", {
    accessToken: maker.id,
    organization: "acme",
    baseUrl: at.emulator.url,
  });

  await expect(getClusters({}, { provider })).rejects.toThrow(
    /^getClusters\(\): the provider's settings are known only once something else is deployed\. Use .*…Output form/,
  );
  expect((await settled(getOrganizationOutput({}, { provider }))).known).toBe(false);
  expect(at.emulator.requests).toEqual([]);
});

test("a provider of another kind is refused: its settings cannot be read", async () => {
  const provider = new (class extends pulumi.ProviderResource {})("aws", "aws", {});

  await expect(getClusters({}, { provider })).rejects.toThrow(
    "getClusters(): the provider has no settings. Pass a `Provider` of pulumi-buildpipeline.",
  );
});

test("missing settings are reported all at once, with where to set them", async () => {
  for (const name of ["BUILDPIPELINE_BASE_URL", "BUILDPIPELINE_ACCESS_TOKEN"]) delete process.env[name];

  const error: unknown = await getClusters().catch((reason: unknown) => reason);

  expect(error).toMatchObject({ name: "LookupError", lookup: "getClusters", missing: false });
  expect(String(error)).toContain("pulumi config set --secret buildpipeline:accessToken");
  expect(String(error)).toContain("BUILDPIPELINE_BASE_URL");
});
