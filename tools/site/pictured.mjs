// What the pictures of the documents show, besides what runs while they are made.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const recorded = join(root, "test", "support", "recorded");
/** A night after which objects are gone. */
const night = join(root, "test", "review", "report", "recorded", "dynamic");

/**
 * Returns a recording of the tests. The cluster with markup in its name gets a plain one.
 *
 * @param {string} name
 */
const read = (name) =>
  JSON.parse(readFileSync(join(recorded, name), "utf8").replaceAll(/"Mac 🍏(?:[^"\\]|\\.)*"/gu, '"macOS"'));

const NAMES = "android api arm64 data docs gpu infra ios mac mobile nightly perf web".split(" ");

/**
 * The recorded resources or steps of the cluster `linux`, for another cluster.
 *
 * @param {unknown[]} own
 * @param {number} index
 */
function another(own, index) {
  const name = `${NAMES[index % NAMES.length]}-${Math.floor(index / NAMES.length) + 1}`;
  const text = JSON.stringify(own).replaceAll("linux", name).replaceAll('"Linux"', `"${name}"`);
  const unique = String(index).padStart(4, "0");
  // Pulumi's UUID for values that aren't known yet begins with 04da6b54, and stays as it is.
  return JSON.parse(text.replaceAll(/"(?!04da6b54)([0-9a-f]{8})-[0-9a-f]{4}-/g, `"$1-${unique}-`));
}

const isOfLinux = (/** @type {{ urn: string }} */ { urn }) => urn.includes("::linux");
const { resources } = read("stack-export.json").deployment;
const { steps, changeSummary } = read("preview.json");
const manyResources = Array.from({ length: 50 }, (_, index) => {
  const [cluster, ...inside] = resources.filter(isOfLinux);
  const queue = inside.find((/** @type {{ urn: string }} */ { urn }) => urn.endsWith("::linux-small"));
  const more = ["spot", "deploy", "xlarge", "arm"].map((key) =>
    JSON.parse(
      JSON.stringify(queue)
        .replace(queue.id, `${key}-${queue.id}`)
        .replaceAll(`"key":"${queue.inputs.key}"`, `"key":"${key}"`)
        .replaceAll("::linux-small", `::linux-${key}`),
    ),
  );
  const color = ["#2D9CDB", "#EB5757", "#27AE60", "#F2C94C"][index % 4];
  const colored = { ...cluster, outputs: { ...cluster.outputs, color } };
  return another([colored, ...inside, ...more.slice(index % 4)], index);
}).flat();
const manySteps = Array.from({ length: 50 }, (_, index) => {
  const own = steps.filter(isOfLinux);
  return another(
    own.filter((/** @type {unknown} */ _step, /** @type {number} */ place) => (index + place) % 4 === 0),
    index,
  );
}).flat();

/** How many steps there are of each operation, as the end of a preview says it. @param {{ op: string }[]} all */
const counted = (all) =>
  Object.fromEntries([...Map.groupBy(all, ({ op }) => op)].map(([op, { length }]) => [op, length]));

/** @param {string} name */
const ofNight = (name) => JSON.parse(readFileSync(join(night, `${name}.json`), "utf8"));

/** Stacks, by the number of their clusters. */
export const states = {
  3: { deployment: { resources } },
  50: { deployment: { resources: manyResources } },
};

/** The previews that reports are pictured of, with the state before them, by the names of the pictures. */
export const reported = {
  "report-3": { preview: { steps, changeSummary }, state: states[3] },
  "report-50": { preview: { steps: manySteps, changeSummary: counted(manySteps) }, state: states[50] },
  drift: { preview: ofNight("lost"), state: ofNight("base-export") },
};
