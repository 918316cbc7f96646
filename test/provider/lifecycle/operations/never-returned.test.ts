import { beforeEach, describe, expect, test } from "vitest";
import { isSecret } from "../../../stories/histories/engine/backend.js";
import { colleague, colleagueForEach, emulator, restart, written } from "../../../support/colleague.js";
import { SimulatedClock } from "../../../support/driver.js";
import { BACKENDS, type InState, ResourceOfProgram } from "../../../support/program.js";

colleagueForEach();
let clusterId: string;

beforeEach(async () => {
  clusterId = await colleague.makes("/clusters", { name: "Linux" });
  emulator.clearRequests();
});

const VALUE = "correct-horse-battery";
const args = () => ({ clusterId, key: "DEPLOY_KEY", value: VALUE, description: "Deploys" });
const secrets = () => `/clusters/${clusterId}/secrets`;
const stored = () => emulator.organizationData.clusterSecrets.list().map(({ value }) => value);

describe.each(BACKENDS)("A secret of a cluster, by the backend %s,", (backend) => {
  const secret = () => new ResourceOfProgram(backend, emulator, "ClusterSecret");

  test("keeps its value in state, marked as secret, though the program passed plain text and no response has it", async () => {
    const it = secret();
    const made = await it.up(args());
    expect(isSecret(it.returned.value)).toBe(true);
    expect(made.outs).toMatchObject({ key: "DEPLOY_KEY", createdBy: { id: expect.any(String) } });
    expect((await secret().preview(args(), made)).changes).toBe(false);
    const read = await it.refresh(made);
    expect(isSecret(it.returned.value)).toBe(true);
    expect((await secret().preview(args(), read)).changes).toBe(false);
    expect(written()).toEqual(["clusterSecrets.create"]);
  });

  test("sends a changed value by its own request, before the others", async () => {
    const made = await secret().up(args());
    emulator.clearRequests();
    await secret().up({ ...args(), value: "another-one", description: "Releases" }, made);
    expect(written()).toEqual(["clusterSecrets.updateValue", "clusterSecrets.update"]);
    expect(stored()).toEqual(["another-one"]);
  });

  test("sends the value again, in place, when triggers are added, changed or removed", async () => {
    const made = await secret().up(args());
    emulator.clearRequests();
    const added = await secret().up({ ...args(), triggers: { restored: "1" } }, made);
    const changed = await secret().up({ ...args(), triggers: { restored: "2" } }, added);
    await secret().up(args(), changed);
    expect(written()).toEqual(Array(3).fill("clusterSecrets.updateValue"));
  });

  test("sends in the next deployment just what a failure left", async () => {
    const made = await secret().up(args());
    emulator.fault({ operation: "clusterSecrets.update", action: { status: 422, body: { message: "No" } } });
    const next = { ...args(), value: "another-one", description: "Releases" };
    const failed = await secret()
      .up(next, made)
      .then(
        () => expect.unreachable(),
        (error: { outs: Record<string, unknown> }) => error.outs,
      );
    expect(failed).toMatchObject({ description: "Deploys" });
    emulator.clearRequests();
    const { inputs } = await secret().preview(next, made);
    await secret().up(next, { id: made.id, inputs, outs: failed, isHalfMade: true });
    expect(written()).toEqual(["clusterSecrets.update"]);
    expect(stored()).toEqual(["another-one"]);
  });

  test("sends the value once, in the first deployment without the option import, because nobody knows what it is", async () => {
    await colleague.sends("POST", secrets(), { key: "DEPLOY_KEY", value: "unknown", description: "Deploys" });
    emulator.clearRequests();
    if (backend === "plugin") {
      const read = await secret().refresh({ id: "Linux/DEPLOY_KEY", inputs: {}, outs: {} });
      await secret().up(args(), read);
    } else {
      const imported = await secret().up({ ...args(), import: "Linux/DEPLOY_KEY" });
      expect(written()).toEqual([]);
      const it = secret();
      const sent = await it.up(args(), imported);
      expect(it.said.join()).toContain("sends the value");
      expect((await secret().preview(args(), sent)).changes).toBe(false);
    }
    expect(written()).toEqual(["clusterSecrets.updateValue"]);
    expect(stored()).toEqual([VALUE]);
  });

  test.each([[["value"]], [["*"]]])("doesn't send the value that ignoreChanges %o keeps", async (ignores) => {
    await colleague.sends("POST", secrets(), {
      key: "DEPLOY_KEY",
      value: "in a vault",
      description: "Deploys",
    });
    const paths = ignores.flatMap((path) => (path === "*" ? Object.keys(args()) : path));
    const ignoring = () => new ResourceOfProgram(backend, emulator, "ClusterSecret", undefined, paths);
    const imported = await ignoring().imports("Linux/DEPLOY_KEY", args());
    const kept = await ignoring().up(args(), imported);
    await ignoring().up({ ...args(), triggers: { restored: "1" } }, kept);
    expect(stored()).toEqual(["in a vault"]);
    if (backend === "plugin") return;
    // Without the option, the preview says what is sent.
    const it = secret();
    await it.up(args(), kept);
    expect(it.said.join()).toContain("sends the value");
    expect(stored()).toEqual([VALUE]);
  });

  test.each([
    ["blank", { value: " " }],
    ["missing", { value: undefined }],
    ["of another type", { value: { part: VALUE } }],
  ])(
    "that is %s is a failure which names no property, because the engine prints its value",
    async (_, change) => {
      const { provider } = await secret().preview(args());
      const { failures, properties } = await provider.check(
        { name: "it", kind: "ClusterSecret" },
        {},
        { ...args(), ...change },
      );
      expect(failures.join()).toContain("ClusterSecret.value");
      expect(properties).toEqual([""]);
    },
  );

  test("warns at each refresh that somebody changed it, until the value is sent again", async () => {
    const made = await secret().up(args());
    const [{ id } = { id: "" }] = await colleague.list(secrets());
    await colleague.sends("PUT", `${secrets()}/${id}/value`, { value: "theirs" });
    touch("2031-05-01T10:00:00.000Z");
    const it = secret();
    const read = await it.refresh(made);
    expect(it.said.join()).toContain("was changed by");
    const again = secret();
    const twice = await again.refresh(read ?? made);
    expect(again.said.join()).toContain("was changed by");
    const sent = await secret().up({ ...args(), triggers: { restored: "1" } }, twice);
    touch("2031-05-01T10:00:00.000Z");
    const last = secret();
    await last.refresh({ ...sent, outs: { ...sent.outs, __written: "2031-05-01T10:00:00.000Z" } });
    expect(last.said.join()).not.toContain("was changed by");
    expect(stored()).toEqual([VALUE]);
  });

  describe("whose value somebody changed is reported as such, with their name and time,", () => {
    const clock = new SimulatedClock();
    const changes = { description: "Releases", policy: "- build_branch: main\n" };
    const of = () => new ResourceOfProgram(backend, emulator, "ClusterSecret", clock);
    let theirs = "";
    let made: InState;
    beforeEach(async () => {
      await restart({ clock: () => new Date(clock.now()) });
      clusterId = await colleague.makes("/clusters", { name: "Linux" });
      made = await of().up(args());
      await clock.sleep(60_000);
      const [{ id } = { id: "" }] = await colleague.list(secrets());
      const changed = await colleague.sends("PUT", `${secrets()}/${id}/value`, { value: "theirs" });
      theirs = `${changed.updated_at}`;
      await clock.sleep(60_000);
    });

    const rows = Object.keys(changes).flatMap((name) => [true, false].map((saved) => ({ name, saved })));
    test.each(rows)("after an update of its $name (after a refresh: $saved)", async ({ name, saved }) => {
      const before = saved ? await of().refresh(made) : made;
      const updating = of();
      const updated = await updating.up({ ...args(), [name]: Reflect.get(changes, name) }, before);
      expect(updating.said.join()).toContain(theirs);
      await clock.sleep(60_000);
      const again = await of().up(args(), updated);
      for (const state of [updated, again]) {
        const it = of();
        await it.refresh((await it.refresh(state)) ?? state);
        expect(it.said.filter((line) => line.includes(`was changed by`))).toEqual(
          Array(2).fill(expect.stringContaining(theirs)),
        );
      }
      const sent = await of().up({ ...args(), triggers: { restored: "1" } }, again);
      const it = of();
      await it.refresh(sent);
      expect(it.said).toEqual([]);
      expect(stored()).toEqual([VALUE]);
    });
  });

  /** Makes the last change one of a time, because changes of one moment can't be told apart. */
  function touch(updatedAt: string): void {
    const { clusterSecrets } = emulator.organizationData;
    const [one] = clusterSecrets.list();
    if (one !== undefined) clusterSecrets.update(one.id, { updated_at: updatedAt });
  }

  test.each([
    ["a blank value", { value: " \n" }, "is blank"],
    ["a value that is too large", { value: "x".repeat(33_000) }, "32 KiB"],
    ["a key that begins with a digit", { key: "1_KEY" }, "does not start with a letter"],
    ["a key with a hyphen", { key: "DEPLOY-KEY" }, "characters that a key cannot have"],
    ["a key that Buildkite keeps", { key: "bk_token" }, "keeps for itself"],
  ])("is refused in the preview for %s, and no message has the value", async (_, change, words) => {
    const failure = await secret()
      .preview({ ...args(), ...change })
      .then(
        () => "",
        (error: unknown) => String(error),
      );
    expect(failure).toContain(words);
    expect(failure).not.toContain(VALUE);
    expect(written()).toEqual([]);
  });

  test("whose creation got no response is an error with the import while the creator is unknown", async () => {
    emulator.fault({ operation: "clusterSecrets.create", when: "after", times: 9, action: "drop" });
    await expect(secret().up(args())).rejects.toThrow(/could not confirm.*import/s);
  });
});
