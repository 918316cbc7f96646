import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { startEmulator } from "../../src/emulator/index.js";
import type { AnyKind } from "../../src/provider/kind/kind.js";
import * as resources from "../../src/provider/resources/index.js";
import { everyKind } from "../engine/every-kind.js";
import { Colleague } from "../support/colleague.js";
import { CHECKOUT, optionsOf, programOf } from "./compiler.js";

/** Every kind there is, from the one list of them: a new one meets all of these tests at once. */
const kinds = Object.values(resources).map(({ kind }): AnyKind => kind);

const program = programOf({ "src/provider/resources/index.ts": undefined }, optionsOf("tsconfig.json"));
const checker = program.getTypeChecker();

function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** What the editor shows of a declaration. */
function documentation(symbol: ts.Symbol | undefined): string {
  return ts.displayPartsToString(symbol?.getDocumentationComment(checker)).trim();
}

/** A declaration of a kind's file, by its name. */
function declared(kind: AnyKind, name: string): ts.Symbol {
  const source = program.getSourceFile(join(CHECKOUT, "src/provider/resources", `${kebab(kind.name)}.ts`));
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find((candidate) => candidate.name === name);
  if (symbol === undefined)
    throw new Error(`src/provider/resources/${kebab(kind.name)}.ts does not export ${name}`);
  return symbol;
}

/** A schema of OpenAPI, as far as it is read here. */
const schemaOfObject = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

describe.each(kinds.map((kind) => [kind.name, kind] as const))("The kind %s", (name, kind) => {
  const example = join("examples", kebab(name), "index.ts");

  test("has an example of its own that uses it", () => {
    expect(existsSync(join(CHECKOUT, example)), `${example} is missing`).toBe(true);
    expect(readFileSync(join(CHECKOUT, example), "utf8")).toContain(`new ${name}(`);
  });

  test("is explained with an example where the editor shows it", () => {
    const symbol = declared(kind, name);
    expect(documentation(symbol)).toMatch(/Needs the scopes?\s/);
    expect(symbol.getJsDocTags().map((tag) => tag.name)).toContain("example");
  });

  test("documents each argument, and what a change of it does", () => {
    const args = declared(kind, `${name}Args`);
    const change = /\bchang|\bupdate|\breplace|\brotate|\bcounts\b/i;
    const forAll = change.test(documentation(args));
    const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(args));

    expect(properties.map((property) => property.name).sort()).toEqual(Object.keys(kind.arguments).sort());
    const undocumented = properties.filter((property) => documentation(property) === "");
    const silent = properties.filter((property) => !forAll && !change.test(documentation(property)));
    expect({
      undocumented: undocumented.map(String),
      silent: silent.map((property) => property.name),
    }).toEqual({
      undocumented: [],
      silent: [],
    });
  });

  test("documents each output", () => {
    const type = checker.getDeclaredTypeOfSymbol(declared(kind, name));
    const inherited = new Set(["id", "urn"]);
    const outputs = checker.getPropertiesOfType(type).filter((property) => {
      const written = checker.typeToString(checker.getTypeOfSymbol(property));
      return /^(pulumi\.)?Output/.test(written) && !inherited.has(property.name);
    });
    const expected = ["organization", ...Object.keys(kind.arguments), ...Object.keys(kind.outputs)];
    expect(outputs.map((property) => property.name).sort()).toEqual([...new Set(expected)].sort());
    const undocumented = outputs.filter((property) => documentation(property) === "");
    expect(undocumented.map((property) => property.name)).toEqual([]);
  });
});

test("Every resource type is in the tests of all of them on the real engine", async () => {
  const emulator = await startEmulator({ seed: false });
  const subjects = await everyKind(new Colleague(emulator));
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
        "returnedAs" in field ? field.returnedAs : undefined,
      );
      const fields = Object.keys(schemas[kind.name]?.properties ?? {});
      expect(fields.length).toBeGreaterThan(5);
      return [kind.name, fields.filter((field) => !elsewhere.has(field) && !observed.includes(field))];
    });
  expect(Object.fromEntries(missing)).toEqual({
    Cluster: [],
    Queue: [],
    AgentToken: [],
    PipelineTemplate: [],
    Team: [],
    Suite: [],
  });
  expect(Object.keys(schemas.User?.properties ?? {})).toHaveLength(6);
});
