import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { startEmulator } from "../../src/emulator/index.js";
import type { AnyKind } from "../../src/provider/for-commands/kinds.js";
import * as resources from "../../src/provider/resources/index.js";
import { everyKind } from "../engine/every-kind.js";
import { CHECKOUT, read } from "../support/checkout.js";
import { Colleague } from "../support/colleague.js";
import { Declarations } from "./compiler.js";

/** Every kind there is, from the one list of them: a new one meets all of these tests at once. */
const kinds = Object.values(resources).map(({ kind }): AnyKind => kind);

const source = new Declarations(["src/provider/resources/index.ts"], "tsconfig.json");

function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

const fileOf = ({ name }: AnyKind) => `src/provider/resources/${kebab(name)}.ts`;

/** A schema of OpenAPI, as far as it is read here. */
const schemaOfObject = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

describe.each(kinds.map((kind) => [kind.name, kind] as const))("The kind %s", (name, kind) => {
  test("is in an example of its own, or in the one that has all without", () => {
    const own = join("examples", kebab(name), "index.ts");
    const example = existsSync(join(CHECKOUT, own)) ? own : "examples/storefront/index.ts";
    expect(read(example), `${own} is missing`).toContain(`new ${name}(`);
  });

  test("is explained with an example where the editor shows it", () => {
    const symbol = source.exportsOf(fileOf(kind)).get(name);
    expect(source.documentation(symbol)).toMatch(/Needs the scopes?\s/);
    expect(symbol?.getJsDocTags().map((tag) => tag.name)).toContain("example");
  });

  test("documents each argument, and what a change of it does", () => {
    const args = `${name}Args`;
    const change = /\bchang|\bupdate|\breplace|\brotate|\bcounts\b/i;
    const forAll = change.test(source.documentation(source.exportsOf(fileOf(kind)).get(args)));
    const properties = source.propertiesOf(fileOf(kind), args);

    expect(properties.map((property) => property.name).sort()).toEqual(Object.keys(kind.arguments).sort());
    const undocumented = properties.filter((property) => source.documentation(property) === "");
    const silent = properties.filter((property) => !forAll && !change.test(source.documentation(property)));
    expect({
      undocumented: undocumented.map(String),
      silent: silent.map((property) => property.name),
    }).toEqual({ undocumented: [], silent: [] });
  });

  test("documents each output", () => {
    const inherited = new Set(["id", "urn"]);
    const outputs = source
      .propertiesOf(fileOf(kind), name)
      .filter((one) => /^(pulumi\.)?Output/.test(source.typeOf(one)) && !inherited.has(one.name));
    const expected = ["organization", ...Object.keys(kind.arguments), ...Object.keys(kind.outputs)];
    expect(outputs.map((property) => property.name).sort()).toEqual([...new Set(expected)].sort());
    const undocumented = outputs.filter((property) => source.documentation(property) === "");
    expect(undocumented.map((property) => property.name)).toEqual([]);
  });
});

test("Every resource type is in the tests of all of them on the real engine", async () => {
  const emulator = await startEmulator({ seed: false });
  const subjects = await everyKind(new Colleague(emulator), emulator);
  await emulator.close();
  expect(subjects.map(({ kind }) => kind).sort()).toEqual(kinds.map(({ name }) => name).sort());
});

test("Every field that the emulator's description of an object has is an output", async () => {
  const emulator = await startEmulator({ seed: false });
  const description: unknown = await (await fetch(`${emulator.url}/openapi.json`)).json();
  await emulator.close();
  const { schemas } = z
    .object({ components: z.object({ schemas: z.record(z.string(), schemaOfObject) }) })
    .parse(description).components;
  /** `id` and `uuid` are the resource's id; the service also names the team's flag `default`. */
  const elsewhere = new Set(["id", "uuid", "is_default_team"]);
  const missing = kinds
    .filter(({ name }) => name in schemas)
    .map((kind) => {
      const observed = [...Object.values(kind.arguments), ...Object.values(kind.outputs)].map((field) =>
        "returnedAs" in field ? field.returnedAs?.split(".")[0] : undefined,
      );
      const fields = Object.keys(schemas[kind.name]?.properties ?? {});
      // An assignment of a maintainer has its id and the actor.
      expect(fields.length).toBeGreaterThan(1);
      return [kind.name, fields.filter((field) => !elsewhere.has(field) && !observed.includes(field))];
    });
  // What changes by itself would be drift at each refresh; the functions have it. The rest belongs to no argument.
  expect(Object.fromEntries(missing.filter(([, fields = []]) => fields.length > 0))).toEqual({
    Cluster: ["maintainers", "hosted_git_mirror_enabled", "hosted_container_cache_enabled"],
    Suite: ["organization_id"],
    Pipeline: [
      "env",
      "scheduled_builds_count",
      "running_builds_count",
      "scheduled_jobs_count",
      "running_jobs_count",
      "waiting_jobs_count",
      "steps",
    ],
    PipelineSchedule: ["next_build_at", "failed_message", "failed_at"],
    ClusterSecret: ["last_read_at", "organization"],
    NotificationService: ["graphql_id", "build_states"],
    OrganizationRule: ["graphql_id", "organization_uuid", "source_type", "target_type"],
  });
  expect(Object.keys(schemas.User?.properties ?? {})).toHaveLength(6);
});
