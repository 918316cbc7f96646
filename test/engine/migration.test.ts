import { beforeAll, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { everyKind, type Subject } from "./every-kind.js";
import { TestStack } from "./stack.js";

const stack = TestStack.forAll();
let subjects: readonly Subject[];
beforeAll(async () => {
  subjects = await everyKind(stack.colleague);
});

/** Ids and secrets, by the names in the program. */
async function kept() {
  const state = Object.entries(await stack.state());
  return Object.fromEntries(
    state.map(([name, { id, outputs }]) => [name, { id, secret: outputs.token ?? outputs.apiToken }]),
  );
}

const deploy = (
  backend: "dynamic" | "plugin",
  options = {},
  declareMore = (_: typeof classesOf.dynamic) => {},
) =>
  stack.up(async () => {
    for (const { declare } of subjects) declare(classesOf[backend]);
    declareMore(classesOf[backend]);
  }, options);

test("A stack of the dynamic backend is served by the plugin, and again by the dynamic backend, without a change", async () => {
  await deploy("dynamic");
  const before = await kept();
  expect(Object.keys(before)).toHaveLength(subjects.length);
  stack.requests();
  for (const backend of [...backends].reverse()) {
    await deploy(backend, { expectNoChanges: true });
    expect(new Set(stack.requests())).toEqual(new Set(["GET /v2/access-token"]));
    const type = backend === "plugin" ? "buildpipeline:index:" : "pulumi-nodejs:dynamic/buildpipeline:";
    for (const resource of await stack.entries()) expect(resource.type).toContain(type);
    expect(await kept()).toEqual(before);
  }
});

test("What the plugin made is served by the dynamic backend after updates that send nothing", async () => {
  await stack.destroy();
  const named =
    (name: string) =>
    ({ Cluster }: typeof classesOf.dynamic) =>
      void new Cluster("ignoring", { name }, { ignoreChanges: ["*"] });
  await deploy("plugin", {}, named("Ignoring"));
  const before = await kept();
  stack.requests();
  await deploy("dynamic", {}, named("Other"));
  expect(stack.writes()).toEqual([]);
  expect(await kept()).toEqual(before);
  await stack.preview(undefined, { expectNoChanges: true });
});
