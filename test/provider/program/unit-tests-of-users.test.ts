import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, test } from "vitest";
import { AgentToken, Cluster, Queue } from "../../../src/index.js";
import { settled } from "../functions/surroundings.js";

const seen: Record<string, unknown>[] = [];

beforeEach(async () => {
  seen.length = 0;
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      seen.push(inputs);
      return { id: name, state: inputs };
    },
    call: ({ inputs }) => inputs,
  });
});

describe("Under the mocks of a unit test", () => {
  test("a resource with a bad value fails where it is made", () => {
    expect(() => new Cluster("linux", { name: "Linux", color: "green", emoji: "penguin" })).toThrow(
      /^"linux": Cluster\.color: "green" is not a hex color code such as .*\n"linux": Cluster\.emoji: "penguin" is neither/,
    );
    expect(seen).toEqual([]);
  });

  test("a good resource after a bad one is registered, and equal resources of several tests are no conflict", async () => {
    expect(() => new Cluster("linux", { name: "" })).toThrow(/Cluster\.name: "" is blank/);
    for (const name of ["one", "two"]) {
      const cluster = new Cluster(name, { name: "Linux" });
      const queue = new Queue(name, { clusterId: "11111111-2222-4333-8444-555555555555", key: "same" });
      expect((await settled(cluster.name)).value).toBe("Linux");
      expect((await settled(queue.key)).value).toBe("same");
    }
  });

  test("ids that the mocks make up are not judged", async () => {
    const queue = new Queue("queue", { clusterId: new Cluster("linux", { name: "Linux" }), key: "q" });
    expect((await settled(queue.clusterId)).value).toBe("linux");
  });

  test("good values of outputs and secrets reach the mocks as they are", async () => {
    const token = new AgentToken("token", {
      clusterId: pulumi.output("11111111-2222-4333-8444-555555555555"),
      description: pulumi.secret("agents"),
      allowedIpAddresses: [pulumi.output("10.0.0.0/8"), "192.0.2.7"],
    });
    expect((await settled(token.allowedIpAddresses)).value).toEqual(["10.0.0.0/8", "192.0.2.7"]);
    expect((await settled(token.description)).value).toBe("agents");
    expect(await pulumi.isSecret(token.description)).toBe(true);
    expect(seen).toMatchObject([{ __secrets: ["description"] }]);
  });

  test("a bad value in an output rejects what waits for the resource, and is shown when it is no secret", async () => {
    const rejections: unknown[] = [];
    const listeners = process.listeners("unhandledRejection");
    process
      .removeAllListeners("unhandledRejection")
      .on("unhandledRejection", (error) => rejections.push(error));
    try {
      const open = new Cluster("open", { name: "Linux", color: pulumi.output("green") });
      const hidden = new Cluster("hidden", { name: "Linux", color: pulumi.secret("s3cret") });
      await expect(settled(open.name)).rejects.toThrow(/^"open": Cluster\.color: "green" is not a hex/);
      await expect(settled(hidden.name)).rejects.toThrow(
        /^"hidden": Cluster\.color: is not a hex color code/,
      );
      expect(seen).toEqual([]);
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(new Set(rejections.map(String))).toEqual(expect.objectContaining({ size: 2 }));
      expect(rejections.join()).not.toContain("s3cret");
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const listener of listeners) process.on("unhandledRejection", listener);
    }
  });
});
