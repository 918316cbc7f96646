import { beforeEach, describe, expect, test } from "vitest";
import { Api } from "./api.js";

const now = "2030-01-01T12:00:00.000Z";
const api = Api.forEach({ seed: false, clock: () => new Date(now) });
let secrets: string;
let cluster: unknown;
beforeEach(async () => {
  cluster = (await api.cluster()).id;
  secrets = `/clusters/${cluster}/secrets`;
});

const made = {
  key: "API_KEY",
  value: "s3cret",
  description: "For uploads",
  policy: "- pipeline_slug: web\n",
};

describe("a cluster's secret", () => {
  test("is shown without its value everywhere, also in the emulator's list of requests", async () => {
    const created = await api.entity("POST", secrets, made);
    const { value: _, ...shown } = made;
    expect(created).toMatchObject({
      ...shown,
      url: expect.stringContaining(`${secrets}/${created.id}`),
      cluster_url: expect.stringMatching(`/clusters/${cluster}$`),
      created_at: now,
      created_by: { id: expect.any(String), name: "Ada Archer", email: "ada@acme.example" },
      updated_at: "2030-01-01T12:00:00.003Z",
      updated_by: null,
      last_read_at: null,
      organization: { slug: "acme", web_url: expect.stringMatching(/organizations\/acme$/) },
    });
    const path = `${secrets}/${created.id}`;
    const answers = [
      created,
      await api.entity("GET", path),
      await api.list(secrets),
      await api.entity("PUT", `${path}/value`, { value: "s3cret" }),
      await (await fetch(api.emulator.pageUrl)).text(),
      api.emulator.requests,
    ];
    expect(JSON.stringify(answers)).not.toContain("s3cret");
  });

  test("keeps what an update leaves out, clears what it empties, and says who changed it", async () => {
    const path = `${secrets}/${(await api.entity("POST", secrets, made)).id}`;
    const updated = await api.entity("PUT", path, { description: "" });
    expect(updated).toMatchObject({ description: null, policy: made.policy, updated_at: now });
    expect(updated.updated_by).toMatchObject({ name: "Ada Archer" });
    expect((await api.send("PATCH", path, { policy: "" })).body).toMatchObject({ policy: null });
    await api.entity("PUT", `${path}/value`, { value: "next" });
    expect(api.emulator.organizationData.clusterSecrets.list()).toMatchObject([{ value: "next" }]);
    expect((await api.send("DELETE", path)).status).toBe(204);
    expect((await api.send("GET", path)).body).toEqual({ message: "No secret found" });
  });

  test.each([
    [{ key: "" }, "Key can't be blank"],
    [{ key: "1A" }, "Key must start with a letter and have letters, numbers and underscores only"],
    [{ key: "A-B" }, "Key must start with a letter and have letters, numbers and underscores only"],
    [{ key: "a".repeat(256) }, "Key is too long (maximum is 255 characters)"],
    [{ key: "BuildKite_x" }, "Key can't begin with buildkite or bk"],
    [{ key: "bk" }, "Key can't begin with buildkite or bk"],
    [{ value: " " }, "Value can't be blank"],
    [{ value: undefined }, "Value can't be blank"],
    [{ value: 3 }, "Value must be a string"],
    [{ value: "é".repeat(4097) }, "Value is too long (maximum is 8192 bytes)"],
    [{ policy: "a: b" }, "Policy must be a YAML list of rules"],
    [{ policy: "[" }, "Policy must be a YAML list of rules"],
  ])("is refused with %j", async (fields, reason) => {
    const answer = await api.send("POST", secrets, { ...made, ...fields });
    expect([answer.status, answer.body]).toEqual([422, { message: `Validation failed: ${reason}` }]);
    expect(await api.list(secrets)).toEqual([]);
  });

  test("has a key of its own in its cluster, which no update changes", async () => {
    const path = `${secrets}/${(await api.entity("POST", secrets, made)).id}`;
    expect((await api.send("POST", secrets, made)).status).toBe(422);
    const other = `/clusters/${(await api.cluster()).id}/secrets`;
    expect((await api.send("POST", other, made)).status).toBe(201);
    const refusal = async (body: object) => (await api.send("PUT", path, body)).body;
    expect(await refusal({ key: "API_KEY" })).toEqual({ message: "The key parameter cannot be updated." });
    const message = "The value parameter cannot be updated on this endpoint.";
    expect(await refusal({ value: "x", description: "y" })).toEqual({ message });
    expect((await api.send("GET", `${other}/${path.split("/").at(-1)}`)).status).toBe(404);
  });
});
