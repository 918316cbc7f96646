// Plays recorded traffic of the live service, and compares the emulator's fields with the recorded ones.
//
//   npm test -- recorded <folder>                      a checkout with recordings, as VCR writes them
//   npm run generate -- recorded <folder> <source>     also writes what they show to recorded.jsonl, without their values
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { startEmulator } from "../../../dist/emulator/index.js";
import { Problem, runMain } from "../../../tools/dev/command.mjs";
import { evidenceOf, keepEvidence } from "./evidence.mjs";
import { describedResponse, differences } from "./fields.mjs";
import { play } from "./play.mjs";
import { readRecordings } from "./recordings.mjs";

await runMain(async () => {
  const [folder = "", source = basename(resolve(folder))] = process.argv
    .slice(2)
    .filter((one) => one !== "--write");
  if (folder === "" || !existsSync(folder))
    throw new Problem("Name a folder with recordings: npm test -- recorded <folder>");
  const recordings = readRecordings(folder);
  const emulator = await startEmulator();
  const description = /** @type {import("./fields.mjs").Json} */ (
    await (await fetch(`${emulator.url}/openapi.json`)).json()
  );
  await emulator.close();

  const played = await play(recordings);
  for (const { recording, operation, problem, otherwise } of played) {
    const remark = problem ?? ["agrees", ...otherwise].join("; ");
    console.log(
      `${problem === undefined ? "✓" : "✗"} ${operation}  ${recording.file}, ${recording.date}: ${remark}`,
    );
  }
  const evidence = evidenceOf(played, source, description);
  for (const { operation, fields } of evidence) {
    for (const { field, recorded, emulator } of differences(
      fields,
      describedResponse(description, operation).fields,
    ))
      console.log(`  ${operation} ${field}: recorded ${recorded}, in the emulator ${emulator}`);
  }
  const failed = played.filter(({ problem }) => problem !== undefined);
  const others = recordings.length - played.length;
  console.log(
    `${played.length - failed.length} of ${played.length} recordings agree, of ${evidence.length} operations. ` +
      `${others} other recordings are of operations that the client doesn't have.`,
  );
  if (failed.length > 0) process.exitCode = 1;
  else if (process.argv.includes("--write")) keepEvidence(evidence, source);
});
