import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { terraformImports } from "../../examples/from-terraform/terraform.js";
import { startEmulator } from "../../src/emulator/index.js";
import * as programSide from "../../src/index.js";
import type { AnyKind } from "../../src/provider/for-commands/kinds.js";
import * as resources from "../../src/provider/resources/index.js";
import { testFolder } from "../support/checkout.js";
import { Driver } from "../support/driver.js";
import { documentAt, type Row, tableOf } from "./documents.js";

const { text } = documentAt("docs/guides/from-terraform.md");
const kinds = Object.values(resources).map(({ kind }): AnyKind => kind);

/** The names in backticks in a cell. */
function names(row: Row, column: string): string[] {
  return [...(row[column] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

describe("The guide for those who come from Terraform", () => {
  test("has each kind", () => {
    const rows = tableOf(text, "## Resources");
    expect(rows.flatMap((row) => names(row, "here")).sort()).toEqual(kinds.map(({ name }) => name).sort());
  });

  test("has each argument of each kind, and no other", () => {
    const found: Record<string, string[]> = {};
    let kind = "";
    for (const row of tableOf(text, "## Arguments")) {
      const here = names(row, "here");
      if (row.here?.startsWith("**")) {
        kind = here[0] ?? "";
        found[kind] = [];
      } else found[kind]?.push(...here);
    }
    // Kinds whose arguments have the same names where Terraform has them are in the sentence before the table.
    const [, before = ""] = /^## Arguments\n(.*?)\n\|/ms.exec(text) ?? [];
    const same = kinds.filter(({ name }) => before.includes(`\`${name}\``));
    expect(same.map(({ name }) => name).filter((name) => name in found)).toEqual([]);
    const declared = kinds
      .filter((one) => !same.includes(one))
      .map(({ name, arguments: all }) => [name, Object.keys(all).sort()]);
    const listed = Object.entries(found).map(([name, all]) => [name, all.sort()]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared));
  });

  test("has no name of a pipeline's argument in Terraform that isn't an error with the name here", async () => {
    const emulator = await startEmulator({ seed: false });
    const answers: string[] = [];
    const wanted: string[] = [];
    let kind = "";
    for (const row of tableOf(text, "## Arguments")) {
      if (row.here?.startsWith("**")) kind = names(row, "here")[0] ?? "";
      if (!["Pipeline", "PipelineSchedule", "TeamPipeline"].includes(kind)) continue;
      for (const [index, name] of names(row, "Terraform").entries()) {
        const argument = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
        const here = names(row, "here")[index] ?? "";
        if (row.here?.startsWith("**") || argument === here) continue;
        for (const spelled of new Set([argument, name])) {
          wanted.push(`${kind}.${spelled}: there is no such argument. Here it is ${here}.`);
          answers.push(...(await Driver.for(emulator).failures(kind, { [spelled]: "x" })));
        }
      }
    }
    await emulator.close();
    expect(wanted.length).toBeGreaterThan(8);
    expect(answers.filter((answer) => answer.includes("no such argument"))).toEqual(wanted);
  });

  test("names lookups that there are", () => {
    const lookups = tableOf(text, "## Data sources").flatMap((row) => names(row, "here"));
    expect(lookups.filter((name) => !(name in programSide))).toEqual([]);
    expect(lookups.length).toBeGreaterThan(5);
  });
});

describe("Reading what Terraform prints", () => {
  /** The imports of what Terraform prints for its root module. */
  function importsFrom(root_module: object) {
    const file = join(testFolder(), "terraform.json");
    writeFileSync(file, JSON.stringify({ values: { root_module } }));
    return terraformImports(file);
  }

  const cluster = "27faff08-079a-499d-a2b0-236f75ad1fcb";
  const queue = "b2b8da51-9f93-4cc2-9229-0db787d43903";
  const resource = (address: string, type: string, values: object) => ({
    address,
    mode: "managed",
    type,
    values,
  });

  test("names each object as `import` takes it, in modules of modules too, and leaves the rest", () => {
    const address = 'module.a.module.b["x"].buildkite_cluster_queue.q[0]';
    const ids = { id: "Q2x1c3RlclF1ZXVlLS0t", cluster_id: "Q2x1c3Rlci0tLQ==" };
    const nested = resource(address, "buildkite_cluster_queue", {
      ...ids,
      uuid: queue,
      cluster_uuid: cluster,
    });
    const inner = { address: "module.a.module.b", resources: [nested] };
    const child = { address: "module.a", child_modules: [inner] };
    const own = [
      resource("buildkite_cluster.linux", "buildkite_cluster", { id: "Q2x1c3Rlci0tLQ==", uuid: cluster }),
      resource("buildkite_registry.app", "buildkite_registry", { uuid: queue }),
    ];
    const from = importsFrom({ resources: own, child_modules: [child] });

    expect(from("buildkite_cluster.linux")).toBe(cluster);
    expect(from(address)).toBe(`${cluster}/${queue}`);
    expect(() => from("buildkite_registry.app")).toThrow(
      /terraform\.json has no buildkite_registry\.app\. It has: buildkite_cluster\.linux, module\.a/,
    );
  });

  test("takes the UUIDs out of GraphQL ids, because `import` takes no others", () => {
    const id = (type: string, uuid: string) => Buffer.from(`${type}---${uuid}`).toString("base64");
    const pair = { team_id: id("Team", cluster), pipeline_id: id("Pipeline", queue) };
    const from = importsFrom({
      resources: [resource("buildkite_pipeline_team.web", "buildkite_pipeline_team", pair)],
    });

    expect(from("buildkite_pipeline_team.web")).toBe(`${cluster}/${queue}`);
  });

  test("knows how each resource type that the guide lists is imported", () => {
    const rows = tableOf(text, "## Resources").filter((row) => names(row, "here").length > 0);
    const attributes = rows.map((row) => {
      const [, ...rest] = Object.values(row);
      return [
        names(row, "Terraform")[0] ?? "",
        [...(rest[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, a]) => a ?? ""),
      ] as const;
    });
    for (const [type, wanted] of attributes.filter(([, all]) => all.length > 0)) {
      const values = Object.fromEntries(wanted.map((name) => [name, `the ${name}`]));
      const from = importsFrom({ resources: [resource("an.address", type, values)] });
      expect(from("an.address"), type).toBe(wanted.map((name) => `the ${name}`).join("/"));
    }
    expect(attributes.length).toBe(kinds.length);
  });

  test("reads a state without resources", () => {
    expect(() => importsFrom({})("buildkite_cluster.linux")).toThrow("has no buildkite_cluster.linux");
  });
});
