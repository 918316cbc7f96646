import { join } from "node:path";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { optionsOf, programOf } from "../examples/compiler.js";
import { CHECKOUT } from "../support/checkout.js";
import { additions, cases } from "./all-cases.js";
import { plantAccess } from "./cases-of-access.js";
import { documentedOperations, type OperationId } from "./operations.js";
import { World } from "./world.js";

const entry = "src/client/index.ts";
const program = programOf({ [entry]: undefined }, optionsOf("tsconfig.json"));
const checker = program.getTypeChecker();

/** Returns the client's type of a response, or of an entry of a list. */
function responseType(id: OperationId): ts.Type {
  const source = program.getSourceFile(join(CHECKOUT, entry));
  const module = source && checker.getSymbolAtLocation(source);
  const exported = module === undefined ? [] : checker.getExportsOfModule(module);
  const client = exported.find(({ name }) => name === "BuildPipelineClient");
  if (client === undefined) throw new Error("There is no client.");
  let type = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(client));
  for (const name of id.split(".")) {
    const property = type.getProperty(name);
    if (property === undefined) throw new Error(`The client has no ${id}.`);
    type = checker.getTypeOfSymbol(property);
  }
  const [signature] = type.getCallSignatures();
  // A method returns a promise or a list of what it is about.
  const [response] = signature ? checker.getTypeArguments(signature.getReturnType() as ts.TypeReference) : [];
  if (response === undefined) throw new Error(`${id} returns nothing.`);
  return response;
}

/** The fields that responses had, by the client's type of the object. */
const seen = new Map<ts.Type, Set<string>>();

/** Notes the fields of a response, and of the objects in it. */
function look(value: unknown, given: ts.Type): void {
  if (typeof value !== "object" || value === null) return;
  const type = checker.getNonNullableType(given);
  if (Array.isArray(value)) {
    const entryType = checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type;
    for (const entry of value) look(entry, entryType);
    return;
  }
  // A pull request is `unknown` in the client, and `env` has keys of its own, as settings have beside those declared.
  if (type.getProperties().length === 0) return;
  const isOpen = checker.getIndexTypeOfType(type, ts.IndexKind.String) !== undefined;
  const fields = seen.get(type) ?? new Set();
  seen.set(type, fields);
  for (const [name, inner] of Object.entries(value)) {
    const property = type.getProperty(name);
    if (property !== undefined || !isOpen) fields.add(name);
    if (property !== undefined) look(inner, checker.getTypeOfSymbol(property));
  }
}

/** Fields that Buildkite's clients know, and that no sample of its documentation has. */
const UNSEEN: Readonly<Record<string, readonly string[]>> = { ClusterSecret: ["graphql_id"] };

test("The emulator's responses have exactly the fields that the client's types declare", async () => {
  const shown = { suiteReadReturnsCreateFields: true, teamReturnsWritableFields: true };
  const variations = { ...shown, agentTokenExpiresAt: "shown" } as const;
  const world = await World.start({ variations });
  onTestFinished(() => world.close());
  await plantAccess(world);
  const { emulator, client, places } = world;
  const start = emulator.snapshot();
  for (const [id, make] of [
    ...documentedOperations.map(({ id }) => [id, cases[id]] as const),
    ...additions,
  ]) {
    emulator.restore(start);
    look(await world.call(make(places)), responseType(id));
    // The case has an agent without a job.
    if (id === "agents.list") look(await client.agents.list().all(), responseType(id));
  }
  const types = [...seen.keys()];
  const sorted = (fieldsOf: (type: ts.Type) => Iterable<string>) =>
    Object.fromEntries(types.map((type) => [checker.typeToString(type), [...fieldsOf(type)].sort()]));
  expect(sorted((type) => seen.get(type) ?? [])).toEqual(
    sorted((type) => {
      const unseen = UNSEEN[checker.typeToString(type)] ?? [];
      return type.getProperties().flatMap(({ name }) => (unseen.includes(name) ? [] : name));
    }),
  );
  expect(types.length).toBeGreaterThan(20);
});
