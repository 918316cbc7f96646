import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BuildPipelineClient, operations as clientOperations } from "../../src/client/index.js";
import { sections } from "../../src/client/sections.js";
import { emulatorOperations } from "../../src/emulator/index.js";
import { documentedOperations, isNewer, shapeOf } from "./operations.js";

/** What client, emulator, docs/reference/client.md and table must agree on. */
type Facts = Readonly<Record<"id" | "method" | "path", string>> & { scope: string | null };

const facts = ({ id, method, path, scope }: Facts): Facts => {
  return { id, method, path: shapeOf(path), scope };
};
const documented = documentedOperations.map(facts);

describe("The table of operations", () => {
  test("has rows with an id and an address of their own", () => {
    expect(new Set(documented.map(({ id }) => id)).size).toBe(documented.length);
    expect(new Set(documented.map(({ method, path }) => `${method} ${path}`)).size).toBe(documented.length);
  });

  test("is what the client has: nothing missing, nothing more, in the same order", () => {
    expect(clientOperations.map(facts)).toEqual(documented);
  });

  test("has the client's very placeholders, as the documentation names them", () => {
    const paths = documentedOperations.map(({ path }) => path);
    expect(clientOperations.map(({ path }) => path)).toEqual(paths);
    expect([...new Set(clientOperations.map(({ section }) => section))]).toEqual(sections);
  });

  test("is what the emulator has: nothing missing, nothing more, in the same order", () => {
    expect(emulatorOperations.map(facts)).toEqual(documented);
    const newer = emulatorOperations.flatMap(({ id, isNewer }) => (isNewer ? [id] : []));
    expect(newer).toEqual(documentedOperations.filter(isNewer).map(({ id }) => id));
  });

  test("is what docs/reference/client.md lists", () => {
    const document = readFileSync(join(__dirname, "..", "..", "docs", "reference", "client.md"), "utf8");
    const [, block = ""] = document.split(/<!-- (?:generated|end): operations -->/);
    const rows = [...block.matchAll(/^\| `([A-Z]+) (\S+)` \| `([\w.]+)` \| .*? \| (?:`(\w+)`|none) \|$/gm)];
    const listed = rows.map(([, method = "", path = "", id = "", scope = null]) =>
      facts({ id, method, path, scope }),
    );
    expect(listed).toEqual(documented);
    expect(block.trim().split("\n")).toHaveLength(2 + documented.length);
  });
});

test("The client has no method that is no operation, but `builds.follow`, which reads one again and again", () => {
  const baseUrl = "http://127.0.0.1:1";
  const client = new BuildPipelineClient({ accessToken: "x", organization: "acme", baseUrl });
  onTestFinished(() => client.close());
  const methodsIn = (owner: object): string[] =>
    Object.entries(owner).flatMap(([group, value]) =>
      group === "api" || group === "clock" || typeof value !== "object" || value === null
        ? []
        : [
            ...Object.getOwnPropertyNames(Object.getPrototypeOf(value)).filter(
              (name) => name !== "constructor",
            ),
            ...methodsIn(value),
          ].map((name) => `${group}.${name}`),
    );
  const methods = methodsIn(client);
  const rows = documented.map(({ id }) => id);
  expect(methods.filter((name) => !rows.includes(name))).toEqual(["builds.follow"]);
  expect(rows.filter((name) => !methods.includes(name))).toEqual([]);
});
