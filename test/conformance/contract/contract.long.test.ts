import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { renderOpenApi } from "../../../src/emulator/openapi.js";
import { providedCommand } from "../../../tools/dev/provided-commands.mjs";
import { CHECKOUT } from "../../support/checkout.js";

const suites = "/v2/analytics/organizations/{org_slug}/suites";
const suite = `${suites}/{suite_slug}`;

interface Schema {
  type?: unknown;
  properties: Record<string, Partial<Schema>>;
  required?: string[];
}

/** What of an OpenAPI document these tests change. */
interface Document {
  openapi: string;
  servers: unknown;
  paths: Record<
    string,
    Record<string, { requestBody: { content: { "application/json": { schema: Schema } } } }>
  >;
  components: { schemas: { Suite: Schema; Run: Schema } };
}

/** Runs the command on the emulator's description, changed as a later version of Buildkite's file may be. */
function compared(change: (document: Document) => void, form = (document: Document) => stringify(document)) {
  const document: Document = JSON.parse(renderOpenApi("https://api.example.com"));
  change(document);
  return run(form(document));
}

function run(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "contract-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "openapi.yaml");
  writeFileSync(file, text);
  const command = ["test/conformance/contract/run.mjs", file];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: CHECKOUT,
    encoding: "utf8",
  });
  return { status, lines: stdout.trim().split("\n"), stderr };
}

const none = { status: 0, lines: ["Differences that may break the client: 0"] };

// `npm test -- long` provides oasdiff, or says why it can't.
describe.skipIf(providedCommand("oasdiff") === undefined)("npm test -- contract", () => {
  test("finds nothing in a document that says what the client knows, in YAML or JSON", () => {
    expect(compared(() => {})).toMatchObject(none);
    expect(compared(() => {}, JSON.stringify)).toMatchObject(none);
  });

  test("finds nothing where only the rest of the document, texts, limits or additions differ", () => {
    const answer = compared(
      ({ components: { schemas }, paths }) => {
        schemas.Suite.properties.flaky = { type: "boolean" };
        schemas.Suite.properties.default_branch = { type: ["string", "null"] };
        delete schemas.Suite.required;
        for (const path of Object.keys(paths)) if (!path.startsWith(suites)) delete paths[path];
        Object.assign(paths[suites]?.post?.requestBody.content["application/json"].schema.properties ?? {}, {
          emoji: { type: "string", maxLength: 9 },
        });
      },
      (document) =>
        JSON.stringify({ ...document, servers: [{ url: "https://api.buildkite.com/v2/analytics" }] })
          .replaceAll(suites, "/organizations/{org}/suites")
          .replaceAll("{suite_slug}", "{suite.slug}"),
    );
    expect(answer).toMatchObject(none);
  });

  test.each<[string, (document: Document) => void, string]>([
    [
      "a field that is gone",
      ({ components: { schemas } }) => delete schemas.Run.properties.commit_sha,
      `GET ${suite}/runs/{run_id}: removed the property \`commit_sha\` from the response. This affects client.runs.get, getRun of a Suite.`,
    ],
    [
      "a renamed field",
      ({ components: { schemas } }) => {
        delete schemas.Suite.properties.default_branch;
        schemas.Suite.properties.main_branch = { type: "string" };
      },
      `GET ${suite}: removed the property \`default_branch\` from the response (new there: \`main_branch\`). This affects client.suites.get, the resource Suite, getSuite.`,
    ],
    [
      "a field of another type",
      ({ components: { schemas } }) => {
        schemas.Suite.properties.id = { type: "integer" };
      },
      `GET ${suites}: the \`items/id\` response's property \`type\` changed from \`string\` to \`integer\`. This affects client.suites.list, imports of Suite, getSuites.`,
    ],
    [
      "a new required property",
      ({ paths }) => {
        const body = paths[suites]?.post?.requestBody.content["application/json"].schema;
        Object.assign(body?.properties ?? {}, { owner: { type: "string" } });
        body?.required?.push("owner");
      },
      `POST ${suites}: added the new required request property \`owner\`. This affects client.suites.create, the resource Suite.`,
    ],
    [
      "a removed operation",
      ({ paths }) => delete paths[suite]?.patch,
      `PATCH ${suite}: API removed without deprecation. This affects client.suites.update, the resource Suite.`,
    ],
  ])("names the method and the resource that %s affects, and ends with exit code 1", (_, change, line) => {
    const { status, lines } = compared(change);
    expect(lines).toContain(line);
    expect(status).toBe(1);
  });

  test.each([
    ["no OpenAPI", "name: x\n"],
    ["OpenAPI 2", 'swagger: "2.0"\ninfo: { title: x, version: "1" }\npaths: {}\n'],
    ["invalid", "openapi: 3.0.3\ninfo: {}\npaths: {}\n"],
  ])("refuses a document that is %s with exit code 2", (_, text) => {
    const { status, stderr } = run(text);
    expect(stderr).toContain("isn't a valid document of OpenAPI 3");
    expect(status).toBe(2);
  });
});
