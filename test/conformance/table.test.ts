import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BuildPipelineClient, operations as clientOperations } from "../../src/client/index.js";
import { emulatorOperations } from "../../src/emulator/index.js";
import { documentedOperations, shapeOf } from "./operations.js";
import { secondPart } from "./second-part.js";

/** What client, emulator, docs/reference/client.md and table must agree on. */
type Facts = Readonly<Record<"id" | "method" | "path", string>> & { scope: string | null };

const facts = ({ id, method, path, scope }: Facts): Facts => {
  return { id, method, path: shapeOf(path), scope };
};
const firstPart = documentedOperations.map(facts);
const documented = [...firstPart, ...secondPart.map(facts)];

describe("The table of operations", () => {
  test("has fifty rows of the first part, and each row has an id and an address of its own", () => {
    expect(firstPart).toHaveLength(50);
    expect(new Set(documented.map(({ id }) => id)).size).toBe(documented.length);
    expect(new Set(documented.map(({ method, path }) => `${method} ${path}`)).size).toBe(documented.length);
  });

  test("is what the client has: nothing missing, nothing more, in the same order", () => {
    expect(clientOperations.map(facts)).toEqual(documented);
  });

  test("has the client's very placeholders, as the document names them", () => {
    const paths = [...documentedOperations, ...secondPart].map(({ path }) => path);
    expect(clientOperations.map(({ path }) => path)).toEqual(paths);
  });

  test("is what the emulator has of the first part: nothing missing, nothing more, in the same order", () => {
    const own = emulatorOperations.filter(({ isNewer }) => !isNewer);
    expect(own.map(facts)).toEqual(firstPart);
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
  const groups = Object.entries(client).filter(([, value]) => typeof value === "object" && value !== null);
  const methods = groups.flatMap(([group, value]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(value))
      .filter((name) => name !== "constructor")
      .map((name) => `${group}.${name}`),
  );
  const rows = documented.map(({ id }) => id);
  expect(methods.filter((name) => !rows.includes(name))).toEqual(["builds.follow"]);
  expect(rows.filter((name) => !methods.includes(name))).toEqual([]);
});
