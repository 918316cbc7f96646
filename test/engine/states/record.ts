import { test } from "vitest";
import { type FixtureName, record, recorded } from "./fixture.js";

/**
 * Records the states that the code as it is leaves behind. Before a release: add a program for what is new to
 * fixture.ts, and run `RECORD=<name of its directory> npm run generate -- states`. States of earlier versions are never
 * recorded again.
 */
const names = Object.keys(recorded) as FixtureName[];
const wanted = names.filter((name) => name === process.env.RECORD);
if (wanted.length === 0) throw new Error(`RECORD must be one of ${names.join(", ")}.`);
for (const name of wanted) test(`records ${name}`, () => record(name), 240_000);
