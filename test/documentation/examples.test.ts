import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT, optionsOf, problemsOf } from "./compiler.js";

const examples = readdirSync(join(CHECKOUT, "examples"));

test.each(examples)("The example %s is a complete project", (name) => {
  const read = (file: string) => readFileSync(join(CHECKOUT, "examples", name, file), "utf8");
  const project = JSON.parse(read("package.json"));
  expect(project).toMatchObject({
    name: `buildpipeline-${name}`,
    private: true,
    main: "index.ts",
    dependencies: { "pulumi-buildpipeline": "file:../.." },
  });
  expect(read("Pulumi.yaml")).toMatch(
    new RegExp(`^name: buildpipeline-${name}\ndescription: .+\nruntime: nodejs\n$`),
  );
  expect(JSON.parse(read("tsconfig.json")).compilerOptions.strict).toBe(true);
});

test("The examples compile by their own settings", () => {
  const files = examples.flatMap((name) =>
    readdirSync(join(CHECKOUT, "examples", name))
      .filter((file) => /\.m?ts$/.test(file))
      .map((file): [string, undefined] => [`examples/${name}/${file}`, undefined]),
  );
  const settings = examples.map((name) =>
    readFileSync(join(CHECKOUT, "examples", name, "tsconfig.json"), "utf8"),
  );
  expect(new Set(settings).size).toBe(1);
  expect(problemsOf(Object.fromEntries(files), optionsOf("examples/quickstart/tsconfig.json"))).toEqual([]);
}, 60_000);
