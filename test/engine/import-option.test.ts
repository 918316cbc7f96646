import { describe, expect, test } from "vitest";
import { isWhole } from "../support/cases.js";
import { backendsOr, classesOf } from "./backends.js";
import { type EngineOutcome, TestStack } from "./stack.js";

const SHOP = { repository: "git@github.com:acme/shop.git", configuration: "steps: [wait]\n" };

describe.each(backendsOr("plugin"))("The option import, %s backend", (backend) => {
  const { AgentToken, Cluster, Pipeline, PipelineSchedule, Queue } = classesOf[backend];
  const stack = TestStack.forAll();

  const program = (importing: boolean | "parents") => async () => {
    const from = (name: string) =>
      importing === true || (importing === "parents" && !name.includes("/")) ? { import: name } : {};
    const linux = new Cluster("linux", { name: "Linux" }, from("Linux"));
    new Queue("small", { clusterId: linux, key: "small" }, from("Linux/small"));
    const token = new AgentToken("token", { clusterId: linux, description: "old" }, from("Linux/old"));
    const args = { name: "Described", description: "of the program" };
    new Cluster("described", args, { ignoreChanges: ["description"], ...from("Described") });
    // Both state what may stay unmanaged.
    const shopArgs = { name: "Shop", ...SHOP, clusterId: linux, defaultBranch: "main" };
    const shop = new Pipeline("shop", shopArgs, from("shop"));
    const nightlyArgs = { pipelineId: shop, cronline: "@daily", label: "Nightly", branch: "main" };
    new PipelineSchedule("nightly", nightlyArgs, from("shop/Nightly"));
    // The import of an archived pipeline accepts that it is archived, and a deployment after it unarchives it.
    new Pipeline("attic", { name: "Attic", ...SHOP }, from("attic"));
    new Cluster("mac", { name: "Mac" });
    return { token: token.token };
  };

  const linesOf = ({ output }: EngineOutcome, words: RegExp) => {
    const lines = output.split("\n").map((line) => line.trim());
    return [...new Set(lines.filter((line) => words.test(line)))];
  };

  test("imports what is shown, keeps what ignoreChanges names, and leaves by an update that sends nothing", async () => {
    const { colleague } = stack;
    const linux = await colleague.sends("POST", "/clusters", { name: "Linux" });
    const small = await colleague.sends("POST", `/clusters/${linux.id}/queues`, { key: "small" });
    const token = await colleague.sends("POST", `/clusters/${linux.id}/tokens`, { description: "old" });
    const described = await colleague.sends("POST", "/clusters", {
      name: "Described",
      description: "by hand",
    });
    const shop = await colleague.sends("POST", "/pipelines", { name: "Shop", ...SHOP, cluster_id: linux.id });
    const nightly = await colleague.sends("POST", "/pipelines/shop/schedules", {
      label: "Nightly",
      cronline: "@daily",
    });
    const attic = await colleague.sends("POST", "/pipelines", { name: "Attic", ...SHOP });
    await colleague.sends("POST", "/pipelines/attic/archive");
    stack.requests();

    const refused = await stack.refused(stack.preview(program("parents")));
    const found = /(?:this deployment imports the \w+, in which|is taken by the queue)/.exec(refused);
    expect(found).not.toBeNull();
    if (backend === "dynamic")
      for (const name of ["small", "token", "nightly"]) expect(refused).toContain(`"${name}": `);
    stack.requests();
    const shown = await stack.preview(program(true));
    const done = await stack.up(program(true));
    const step = backend === "plugin" ? "import" : "create";
    for (const { steps } of [shown, done]) {
      const imported = { linux: [step], small: [step], token: [step], described: [step] };
      expect(steps).toMatchObject({ ...imported, shop: [step], nightly: [step], attic: [step] });
    }
    if (backend === "dynamic") {
      const lines = linesOf(shown, /: imports |^\d+ resources? shown as create/);
      const imports = lines.slice(0, 7).map((line) => line.replace(/^.*?: (?=imports )/, ""));
      expect(imports.sort()).toEqual([
        `imports the agent token "Linux/old" ${token.id}; nothing is created`,
        `imports the cluster "Described" ${described.id}; nothing is created`,
        `imports the cluster "Linux" ${linux.id}; nothing is created`,
        `imports the pipeline "attic" ${attic.id}; nothing is created`,
        `imports the pipeline "shop" ${shop.id}; nothing is created`,
        `imports the pipeline schedule "shop/Nightly" ${nightly.id}; nothing is created`,
        `imports the queue "Linux/small" ${small.id}; nothing is created`,
      ]);
      expect(lines.slice(7)).toEqual(["7 resources shown as create will be imported instead."]);
      // The CLI also has each in its progress, behind the stack.
      expect(linesOf(done, /^[a-z].*: imported /)).toHaveLength(7);
    }
    const sent = stack.writes();
    expect(sent).toEqual([expect.stringMatching(/^POST .*\/clusters$/)]);
    const { linux: owned, small: queue } = await stack.state();
    expect([owned?.id, queue?.id]).toEqual([linux.id, small.id]);
    // Nobody can read the secret of an existing token.
    expect(done.outputs.token ?? undefined).toBeUndefined();
    expect(done.output).toContain("triggers");

    // The mark of an import leaves the state by an update; the engine's own import has none.
    const { steps, output } = await stack.up(program(false));
    const afterwards = backend === "plugin" ? "same" : "update";
    expect(steps).toMatchObject({
      linux: [afterwards],
      small: [afterwards],
      described: [afterwards],
      shop: [afterwards],
      nightly: [afterwards],
      attic: ["update"],
      mac: ["same"],
    });
    expect(output).not.toMatch(/imports? the|will be imported/);
    expect(stack.writes()).toEqual([expect.stringMatching(/^POST .*\/pipelines\/attic\/unarchive$/)]);
    if (isWhole) await stack.preview(undefined, { expectNoChanges: true });
    expect(await colleague.sends("GET", `/clusters/${described.id}`)).toMatchObject({
      description: "by hand",
    });
  });
});
