// Makes the pictures of README and docs/commands.md from what the commands print: `npm run docs:pictures`. Needs a
// Chromium.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const here = import.meta.dirname;
const root = join(here, "..", "..");
const recorded = join(root, "test", "cli", "recorded");
const scratch = mkdtempSync(join(tmpdir(), "pictures-"));

/** @param {string[]} args */
function buildpipeline(...args) {
  execFileSync(process.execPath, [join(root, "dist", "cli", "main.js"), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** @param {string} name @param {unknown} value */
function file(name, value) {
  writeFileSync(join(scratch, name), JSON.stringify(value));
  return join(scratch, name);
}

/**
 * Returns a recording of the tests. The cluster with markup in its name gets a plain one.
 *
 * @param {string} name
 */
const read = (name) =>
  JSON.parse(readFileSync(join(recorded, name), "utf8").replaceAll(/"Mac 🍏(?:[^"\\]|\\.)*"/gu, '"macOS"'));

const NAMES = [
  "android",
  "api",
  "arm64",
  "data",
  "docs",
  "gpu",
  "infra",
  "ios",
  "mac",
  "mobile",
  "nightly",
  "perf",
  "web",
];

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
  return JSON.parse(text.replaceAll(/"([0-9a-f]{8})-[0-9a-f]{4}-/g, `"$1-${unique}-`));
}

const isOfLinux = (/** @type {{ urn: string }} */ { urn }) => urn.includes("::linux");
const { resources } = read("stack-export.json").deployment;
const { steps } = read("preview.json");
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
  return another([colored, ...inside, ...more], index);
}).flat();
const manySteps = Array.from({ length: 50 }, (_, index) => {
  const own = steps.filter(isOfLinux);
  return another(
    own.filter((/** @type {unknown} */ _step, /** @type {number} */ place) => (index + place) % 4 === 0),
    index,
  );
}).flat();

const states = {
  3: file("state-3.json", { deployment: { resources } }),
  50: file("state-50.json", { deployment: { resources: manyResources } }),
};
const previews = { 3: file("preview-3.json", { steps }), 50: file("preview-50.json", { steps: manySteps }) };
const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const browser = await chromium.launch({
  executablePath,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});

/**
 * The top of a report, down to where the tables of changes begin, for README.
 *
 * @param {string} page
 * @param {"light" | "dark"} colorScheme
 */
async function screenshotOfDangers(page, colorScheme) {
  const tab = await browser.newPage({
    colorScheme,
    viewport: { width: 1000, height: 1000 },
    deviceScaleFactor: 1.5,
  });
  await tab.goto(pathToFileURL(page).href);
  const changes = await tab.locator("h2", { hasText: "Changes" }).boundingBox();
  const clip = { x: 0, y: 20, width: 1000, height: (changes?.y ?? 520) - 40 };
  await tab.screenshot({ path: join(here, `report-${colorScheme}.png`), clip });
  await tab.close();
}

try {
  for (const size of /** @type {const} */ ([3, 50])) {
    buildpipeline(
      "graph",
      "--format",
      "svg",
      "--stack-export",
      states[size],
      "--out",
      join(here, `topology-${size}.svg`),
    );
    const page = join(scratch, `report-${size}.html`);
    buildpipeline("report", previews[size], "--stack-export", states[size], "--html", "--out", page);
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const tab = await browser.newPage({ colorScheme, viewport: { width: 1000, height: 1100 } });
      await tab.goto(pathToFileURL(page).href);
      await tab.screenshot({ path: join(here, `report-${size}-${colorScheme}.jpg`), quality: 60 });
      await tab.close();
      if (size === 3) await screenshotOfDangers(page, colorScheme);
    }
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
