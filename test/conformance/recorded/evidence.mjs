// What recordings showed, as this repository keeps it: one line for each operation of a source, with the names and types of
// fields and without a value.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describedResponse, fieldsOf, withoutContent } from "./fields.mjs";

/**
 * @typedef {object} Evidence
 * @property {string} operation
 * @property {string} source Repository of the recordings.
 * @property {string} date Day of the newest recording.
 * @property {number} status
 * @property {readonly string[]} otherwise How the client's request differs where both mean the same.
 * @property {import("./fields.mjs").Fields} fields
 */

const file = join(import.meta.dirname, "recorded.jsonl");

/**
 * Returns what played recordings showed, by operation.
 *
 * @param {readonly import("./play.mjs").Played[]} played
 * @param {string} source
 * @param {import("./fields.mjs").Json} description Of the emulator.
 * @returns {Evidence[]}
 */
export function evidenceOf(played, source, description) {
  const done = played.filter(({ problem, recording }) => problem === undefined && recording.status < 300);
  return [...Map.groupBy(done, ({ operation }) => operation)].map(([operation, all]) => {
    const recordings = all
      .map(({ recording }) => recording)
      .sort((one, other) => (one.date < other.date ? 1 : -1));
    const results = recordings.flatMap(({ text }) => (text.trim() === "" ? [] : JSON.parse(text)));
    return {
      operation,
      source,
      date: recordings[0]?.date ?? "",
      status: recordings[0]?.status ?? 0,
      otherwise: [...new Set(all.flatMap(({ otherwise }) => otherwise))],
      fields: withoutContent(fieldsOf(results), describedResponse(description, operation).fields),
    };
  });
}

/** @returns {Evidence[]} */
export function readEvidence() {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return lines.map((line) => {
    const { fields, ...rest } = JSON.parse(line);
    const types = Object.entries(fields).map(([path, words]) => [path, new Set(String(words).split(" "))]);
    return { ...rest, fields: new Map(/** @type {[string, Set<string>][]} */ (types)) };
  });
}

/**
 * Replaces the evidence of a source.
 *
 * @param {readonly Evidence[]} evidence
 * @param {string} source
 */
export function keepEvidence(evidence, source) {
  const all = [...readEvidence().filter((one) => one.source !== source), ...evidence];
  const lines = all.map(({ fields, ...rest }) => {
    const types = [...fields].map(([path, words]) => [path, [...words].sort().join(" ")]);
    return JSON.stringify({ ...rest, fields: Object.fromEntries(types.sort()) });
  });
  writeFileSync(file, `${lines.join("\n")}\n`);
}
