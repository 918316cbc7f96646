import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { CLI_RANGE } from "../../src/cli/pulumi/pulumi.js";
import { isWhole } from "../support/cases.js";
import { CHECKOUT, read, readJson } from "../support/checkout.js";
import { optionsOf, problemsOf } from "./compiler.js";

const examples = readdirSync(join(CHECKOUT, "examples")).filter((name) =>
  ["package.json", "Pulumi.yaml"].every((file) => existsSync(join(CHECKOUT, "examples", name, file))),
);

test.each(examples)("The example %s is a complete project", (name) => {
  const project = readJson("examples", name, "package.json");
  expect(project).toMatchObject({
    name: `buildpipeline-${name}`,
    private: true,
    main: "index.ts",
    dependencies: { "pulumi-buildpipeline": "file:../.." },
  });
  const { plugins, options, ...settings } = parse(read("examples", name, "Pulumi.yaml"));
  expect(settings).toEqual({
    name: `buildpipeline-${name}`,
    description: expect.any(String),
    runtime: "nodejs",
    requiredPulumiVersion: CLI_RANGE,
  });
  // Safe only where the access token comes from the environment.
  expect(options).toEqual(name === "gitops" ? { refresh: "always" } : undefined);
  expect(plugins === undefined).toBe(name !== "quickstart-plugin");
  expect(readJson("examples", name, "tsconfig.json").compilerOptions.strict).toBe(true);
});

test.runIf(isWhole)(
  "The examples compile by their own settings",
  () => {
    const files = examples.flatMap((name) =>
      readdirSync(join(CHECKOUT, "examples", name))
        .filter((file) => /\.m?ts$/.test(file))
        .map((file): [string, undefined] => [`examples/${name}/${file}`, undefined]),
    );
    const settings = examples.map((name) => read("examples", name, "tsconfig.json"));
    expect(new Set(settings).size).toBe(1);
    expect(problemsOf(Object.fromEntries(files), optionsOf("examples/quickstart/tsconfig.json"))).toEqual([]);
  },
  60_000,
);

test("The quickstart of the plugin is the quickstart with another import", () => {
  const program = (name: string) => read("examples", name, "index.ts");
  expect(program("quickstart-plugin")).toBe(
    program("quickstart").replace('"pulumi-buildpipeline"', '"pulumi-buildpipeline/native"'),
  );
});

test.each(["quickstart", "storefront"])(
  "The example %s in YAML has the same resources, and names what the schema has",
  (name) => {
    const { resources } = parse(read(`examples/${name}-yaml/Pulumi.yaml`));
    const schema = readJson("plugin/schema.json");
    const program = read(`examples/${name}/index.ts`);
    const declared = [...program.matchAll(/new (\w+)\(\s*"([^"]+)"/g)].map(
      ([, kind, name]) => `${kind} ${name}`,
    );
    const found = Object.entries<{ type: string }>(resources).map(
      ([resource, { type }]) => `${type.split(":").at(-1)} ${resource}`,
    );
    expect(found.sort()).toEqual(declared.sort());
    for (const { type, properties } of Object.values<{ type: string; properties: object }>(resources)) {
      const { inputProperties, requiredInputs } = schema.resources[type];
      expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(Object.keys(properties)));
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(requiredInputs));
    }
  },
);

test("Each example has a README", () => {
  const folders = readdirSync(join(CHECKOUT, "examples"));
  expect(folders.filter((name) => !existsSync(join(CHECKOUT, "examples", name, "README.md")))).toEqual([]);
});
