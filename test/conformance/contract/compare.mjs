// Compares an OpenAPI document with what client and emulator know of suites and runs.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { startEmulator } from "../../../dist/emulator/index.js";
import { mustRun, Problem } from "../../../tools/dev/command.mjs";
import { provideCommand } from "../../../tools/dev/provided-commands.mjs";
import { reduced } from "./reduce.mjs";

/** The client's method for each operation, and what else uses it. @type {Readonly<Record<string, readonly string[]>>} */
const users = {
  "GET /suites": ["client.suites.list", "imports of Suite", "getSuites"],
  "POST /suites": ["client.suites.create", "the resource Suite"],
  "GET /suites/{suite_slug}": ["client.suites.get", "the resource Suite", "getSuite"],
  "PATCH /suites/{suite_slug}": ["client.suites.update", "the resource Suite"],
  "DELETE /suites/{suite_slug}": ["client.suites.delete", "the resource Suite"],
  "GET /suites/{suite_slug}/runs": ["client.runs.list", "getRuns of a Suite"],
  "GET /suites/{suite_slug}/runs/{run_id}": ["client.runs.get", "getRun of a Suite"],
};

/** @typedef {{ id: string, text: string, level: number, operation: string, path: string }} Change As oasdiff prints it. */

/** The level of oasdiff from which on a client may break. */
const WARNING = 2;
/** Breaks no client that ignores the field, but this one may be the one that a resource needs. */
const GONE = "response-optional-property-removed";

/**
 * Returns each difference that may break the client, with what it affects.
 *
 * @param {string} file
 * @returns {Promise<string[]>}
 * @throws {Problem} if the file isn't OpenAPI 3, or can't be compared here.
 */
export async function compare(file) {
  const theirs = reduced(await documentOf(file, file));
  const emulator = await startEmulator();
  const description = await (await fetch(`${emulator.url}/openapi.json`)).text();
  await emulator.close();
  const ours = reduced(await documentOf("The emulator's description", description));
  const changes = await changesBetween(ours, theirs);
  return changes
    .filter(({ id, level }) => level >= WARNING || id === GONE)
    .map((change) => {
      const { operation, path } = change;
      // Each success has been given the same status, and in responses, each property is optional.
      const text = change.text
        .replace(" with the `200` status", "")
        .replace(" for status `200`", "")
        .replace("removed the optional property", "removed the property");
      const used = users[`${operation} ${path.replace(/^.*(?=\/suites)/, "")}`] ?? [];
      return `${operation} ${path}: ${text}${renamed(change, changes)}. This affects ${used.join(", ")}.`;
    });
}

/**
 * Returns a document without references.
 *
 * @param {string} name @param {string} source A path, or the document's text.
 * @returns {Promise<import("./reduce.mjs").Json>}
 */
async function documentOf(name, source) {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(source);
  if (valid && validator.version.startsWith("3")) return validator.resolveRefs();
  const reason = typeof errors === "string" ? errors : errors?.[0]?.message;
  throw new Problem(`${name} isn't a valid document of OpenAPI 3: ${reason ?? "it has another version"}.`);
}

/** @param {object} ours @param {object} theirs @returns {Promise<Change[]>} */
async function changesBetween(ours, theirs) {
  const oasdiff = await provideCommand("oasdiff");
  if (oasdiff === undefined) throw new Problem("Nothing can be compared without oasdiff, which Go installs.");
  const folder = mkdtempSync(join(tmpdir(), "contract-"));
  try {
    const files = Object.entries({ ours, theirs }).map(([name, document]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(document));
      return file;
    });
    const options = ["--format", "json", "--auto-upgrade", "--flatten-allof"];
    const printed = await mustRun("Comparing", oasdiff, ["changelog", ...files, ...options]);
    return printed.trim() === "" ? [] : JSON.parse(printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Names the properties that came where one is gone, because it may have been renamed.
 *
 * @param {Change} change @param {readonly Change[]} all
 */
function renamed({ id, operation, path }, all) {
  const kind = /^(request|response)-.*property-removed$/.exec(id)?.[1];
  const added = all
    .filter((one) => one.operation === operation && one.path === path)
    .filter(
      (one) => kind !== undefined && one.id.startsWith(kind) && /property-added|new-.*property/.test(one.id),
    )
    .flatMap(({ text }) => /`[^`]+`/.exec(text) ?? []);
  return added.length === 0 ? "" : ` (new there: ${added.join(", ")})`;
}
