// What a stack of 50 resources costs here and in another checkout, in turns on the same machine.
//
//   npm run bench -- turns ../other      seven rounds
//   npm run bench -- turns ../other 3    three
//
// The other checkout needs its set-up (`node tools/dev/setup.mjs`). Each checkout runs its own program and emulator.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checkout } from "../dev/checkout.mjs";

const [other, rounds = "7"] = process.argv.slice(2);
if (other === undefined) throw new Error("Give the folder of another checkout.");

const MEASURE = `
  const { measureEngine } = await import(process.argv[1]);
  const [{ commands, stateBytes }] = await measureEngine([50]);
  const seconds = Object.entries(commands).map(([name, { seconds }]) => [name + ", seconds", seconds]);
  const figures = Object.fromEntries([...seconds, ["bytes of state for a resource", stateBytes]]);
  process.stdout.write("\\n" + JSON.stringify(figures), () => process.exit());
`;

/** @type {Record<"here" | "other", Record<string, number>[]>} */
const figures = { here: [], other: [] };
for (let round = 0; round < Number(rounds); round++) {
  // Neither is always the first.
  const reversed = round % 2 === 1;
  if (reversed) figures.here.push(measure(checkout));
  figures.other.push(measure(resolve(other)));
  if (!reversed) figures.here.push(measure(checkout));
}

console.log(
  "| 50 resources | other | here | ratio | other, from to | here, from to |\n|---|---:|---:|---:|---|---|",
);
for (const name of Object.keys(figures.here[0] ?? {})) {
  const [theirs, ours] = [valuesOf("other", name), valuesOf("here", name)];
  const [before, after] = [middle(theirs), middle(ours)];
  const cells = [written(before), written(after), (after / before).toFixed(2), range(theirs), range(ours)];
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}

/** @param {string} folder @returns {Record<string, number>} */
function measure(folder) {
  const module = pathToFileURL(join(folder, "tools", "bench", "engine.mjs")).href;
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", MEASURE, module],
    { cwd: folder, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

/** @param {"here" | "other"} which @param {string} name */
function valuesOf(which, name) {
  return figures[which].map((round) => round[name] ?? Number.NaN).toSorted((a, b) => a - b);
}

/** @param {readonly number[]} sorted */
function middle(sorted) {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** @param {readonly number[]} sorted */
function range(sorted) {
  return `${written(sorted[0] ?? Number.NaN)} – ${written(sorted.at(-1) ?? Number.NaN)}`;
}

/** @param {number} value */
function written(value) {
  return value < 100 ? value.toFixed(2) : value.toFixed(0);
}
