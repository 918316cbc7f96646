import { expect, test } from "vitest";
import { BuildPipelineClient, operations } from "../../src/client/index.js";
import * as programSide from "../../src/index.js";
import { usersOf } from "../../tools/generate/operations.js";

test("Each operation is a method of the client", async () => {
  const client = new BuildPipelineClient({
    accessToken: "x",
    organization: "acme",
    baseUrl: "http://127.0.0.1:1",
  });
  const methods = operations.filter(({ id }) => {
    const found = id.split(".").reduce((owner: object, name) => Object(Reflect.get(owner, name)), client);
    return typeof found === "function";
  });
  await client.close();
  expect(methods.map(({ id }) => id)).toEqual(operations.map(({ id }) => id));
  expect(operations).not.toEqual([]);
});

test("Every lookup and resource that the table names is exported, each lookup with its Output twin", () => {
  const named = new Set(operations.flatMap(usersOf));
  const expected = [...named].flatMap((name) => (name.startsWith("get") ? [name, `${name}Output`] : [name]));
  expect(expected.filter((name) => !(name in programSide))).toEqual([]);
});

test("Every lookup is in the table", () => {
  const named = new Set(operations.flatMap(usersOf));
  const lookups = Object.keys(programSide).filter((name) => /^get[A-Z]/.test(name));
  expect(lookups.filter((name) => !named.has(name.replace(/Output$/, "")))).toEqual([]);
});
