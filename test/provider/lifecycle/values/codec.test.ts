import { describe, expect, test } from "vitest";
import { decode, encode, reconcile } from "../../../../src/provider/lifecycle/values/codec.js";
import { secret } from "../../../../src/shared/protocol/encoded-values.js";
import { kindOf } from "../../../support/driver.js";

describe("A response", () => {
  const cluster = kindOf("Cluster");

  test("returns as unset what it leaves out of a cluster, and nothing for outputs", () => {
    const observed = decode(cluster, { name: "Linux", description: null });
    expect(observed).toMatchObject({ name: "Linux", emoji: undefined });
    expect("emoji" in observed).toBe(true);
    expect("url" in observed).toBe(false);
  });

  test("has only fields of its own", () => {
    expect(decode(cluster, Object.create({ name: "inherited", url: "inherited" })).name).toBeUndefined();
    expect("url" in decode(cluster, Object.create({ url: "inherited" }))).toBe(false);
  });
});

test("The body of an update clears an omitted text with an empty one", () => {
  expect(encode(kindOf("Cluster"), {}, new Set(["description"]))).toEqual({ description: "" });
});

describe("The state of an object", () => {
  const organization = "acme";

  test("has a one-time secret as a secret, from the response or from the state", () => {
    const args = { clusterId: "c", description: "d" };
    const token = (observed: object, created?: object) =>
      reconcile({ kind: kindOf("AgentToken"), organization, args, ...(created && { created }) }, observed)
        .outs.token;
    expect(token({}, { token: secret("s3cret") })).toEqual(secret("s3cret"));
    expect(token({ token: "other" }, { token: "s3cret" })).toEqual(secret("s3cret"));
    expect(token({ token: "s3cret" })).toBeUndefined();
  });

  test("has outputs that spell a secret argument as secrets", () => {
    const suite = { kind: kindOf("Suite"), organization, secretNames: ["name"], args: { name: "s" } };
    const { outs } = reconcile(suite, { name: "s", slug: "s" });
    expect(outs.slug).toEqual(secret("s"));
    const plain = reconcile({ ...suite, secretNames: [] }, { name: "s", slug: "s" });
    expect(plain.outs.slug).toBe("s");
    const unset = reconcile(suite, { name: "s", slug: null });
    expect(unset.outs).not.toHaveProperty("slug");
  });
});
