// Makes the pictures of the README and of docs/ from what the commands print: `npm run docs -- pictures`. Needs a Chromium,
// and looks best with the fonts Inter and JetBrains Mono (Debian: fonts-inter, fonts-jetbrains-mono).
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { pulumiCommand, pulumiEnvironment } from "../dev/pulumi-cli/locate.mjs";
import { reported, states } from "./pictured.mjs";

const root = join(import.meta.dirname, "..", "..");
const pictures = join(root, "docs", "pictures");
/** @type {typeof import("../../src/emulator/index.js")} */
const { startEmulator } = createRequire(import.meta.url)(join(root, "dist", "emulator", "index.js"));
const scratch = mkdtempSync(join(tmpdir(), "pictures-"));
/** A stack and an emulator of their own, in the checkout, so that programs find their packages. */
const folder = join(root, ".buildpipeline", "pictures");
const WIDTH = 900;
const FONTS = "*{font-family:Inter,sans-serif} code,code *,pre,pre *{font-family:'JetBrains Mono',monospace}";

/** @param {string[]} args */
function buildpipeline(...args) {
  execFileSync(process.execPath, [join(root, "dist", "commands", "main.js"), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** @param {string} name @param {unknown} value */
function file(name, value) {
  writeFileSync(join(scratch, name), JSON.stringify(value));
  return join(scratch, name);
}

/** Returns the diagnostics that `pulumi preview` prints, with colors, for a program with four mistakes. */
async function fourMistakes() {
  const program = join(folder, "mistakes");
  mkdirSync(program, { recursive: true });
  cpSync(join(root, "examples", "quickstart"), program, { recursive: true });
  writeFileSync(
    join(program, "index.ts"),
    `import { AgentToken, Cluster, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux", color: "green" });
new Queue("small", { clusterId: linux, key: "small queue" });
new AgentToken("agents", { clusterId: linux, description: "Agents", allowedIpAddresses: ["10.0.0.0/33"] });
new Cluster("mac", { name: " " });
`,
  );
  const emulator = await startEmulator({ seed: false });
  const env = pulumiEnvironment({
    ...process.env,
    BUILDPIPELINE_BASE_URL: emulator.url,
    BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
    BUILDPIPELINE_ORGANIZATION: emulator.organization,
    PULUMI_BACKEND_URL: `file://${join(folder, "stack")}`,
    PULUMI_HOME: join(folder, "pulumi-home"),
    PULUMI_CONFIG_PASSPHRASE: "local emulator",
  });
  const run = (/** @type {string[]} */ ...args) =>
    promisify(execFile)(pulumiCommand(), [...args, "--non-interactive"], { cwd: program, env });
  try {
    await run("stack", "select", "production", "--create");
    await run("preview", "--color", "always");
    throw new Error("The preview found no mistake.");
  } catch (error) {
    const { stdout = "" } = /** @type {{ stdout?: string }} */ (error);
    const start = stdout.lastIndexOf("\n", stdout.indexOf("Diagnostics:"));
    if (start < 0) throw error;
    return stdout.slice(start, stdout.lastIndexOf("\n", stdout.indexOf("Resources:")));
  } finally {
    await emulator.close();
  }
}

/** @type {Record<string, string>} */
const COLORS = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  90: "#8b949e",
};

/** A terminal with what a command printed, as a page. @param {string} command @param {string} printed */
function terminal(command, printed) {
  const escaped = printed.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const [first = "", ...painted] = escaped.split("\u001b[");
  const spans = painted.map((part) => {
    const [codes = "", text = ""] = part.split(/m(.*)/s);
    const all = codes.split(";");
    // Pulumi has its colors from the palette of 256.
    const color = codes.startsWith("38;5;") ? COLORS[30 + (Number(all[2]) % 8)] : COLORS[all.at(-1) ?? ""];
    return `</span><span style="${all[0] === "1" ? "font-weight:700;" : ""}${color ? `color:${color}` : ""}">${text}`;
  });
  const shown = [first, ...spans].join("").replaceAll(/`([^`]+)`/g, "<b>`$1`</b>");
  return `<!doctype html><meta charset="utf-8"><style>
body{margin:0;padding:24px;background:transparent}
main{border-radius:10px;background:#0d1117;color:#e6edf3;overflow:hidden;box-shadow:0 1px 4px #0006}
header{padding:12px 16px;background:#161b22} i{display:inline-block;width:12px;height:12px;border-radius:50%;margin-right:8px}
pre{margin:0;padding:16px 20px 20px;font:13.5px/1.55 'JetBrains Mono',monospace;white-space:pre-wrap}
b{font-weight:400;color:#79c0ff}</style>
<main><header><i style="background:#ff5f57"></i><i style="background:#febc2e"></i><i style="background:#28c840"></i></header>
<pre><span style="color:#7ee787">$</span> ${command}\n\n<span>${shown.trim()}</span></pre></main>`;
}

// The stack is deployed first, and a change of it previewed while jobs run.
rmSync(folder, { recursive: true, force: true });
execFileSync(process.execPath, [join(root, "tools", "dev", "start.mjs"), "--no-wait"], {
  stdio: ["ignore", "ignore", "inherit"],
  env: { ...process.env, NPM_START_FOLDER: "pictures" },
});
writeFileSync(join(scratch, "terminal.html"), terminal("pulumi preview", await fourMistakes()));
for (const [size, state] of Object.entries(states)) {
  const out = join(pictures, `topology-${size}.svg`);
  buildpipeline(
    "graph",
    "--format",
    "svg",
    "--stack-export",
    file(`state-${size}.json`, state),
    "--out",
    out,
  );
}
/** The arguments of each report. */
const inputs = Object.fromEntries(
  Object.entries(reported).map(([name, { preview, state }]) => [
    name,
    [file(`${name}.json`, preview), "--stack-export", file(`${name}-state.json`, state)],
  ]),
);
for (const [name, args] of Object.entries(inputs))
  buildpipeline("report", ...args, "--html", "--out", join(scratch, `${name}.html`));
const change = join(folder, "report.html");

const main = join(root, "dist", "commands", "main.js");
const shown = ["stty cols 96", [process.execPath, main, "report", ...(inputs.drift ?? [])].join(" ")].join(
  "; ",
);
const printed = execFileSync("script", ["-qec", shown, "/dev/null"], { encoding: "utf8" });
writeFileSync(
  join(scratch, "drift-terminal.html"),
  // The first line and the consequences, without what clears the line of the progress.
  terminal(
    "npx pulumi-buildpipeline report drift.json",
    printed
      .replaceAll("\u001b[K", "")
      .split(/\r?\n\r?\n/)
      .slice(0, 2)
      .join("\n\n"),
  ),
);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});

/**
 * @param {string} page a file
 * @param {"light" | "dark"} colorScheme
 * @param {string} out
 * @param {{ until?: string, width?: number, height?: number, scale?: number, quality?: number }} [options] `until`:
 *   selects what the picture ends before
 */
async function screenshot(
  page,
  colorScheme,
  out,
  { until, width = WIDTH, height = 1000, scale = 1, quality } = {},
) {
  const viewport = { width, height };
  const tab = await browser.newPage({ colorScheme, viewport, deviceScaleFactor: scale });
  await tab.goto(pathToFileURL(page).href);
  await tab.addStyleTag({ content: FONTS });
  await tab.evaluate("document.fonts.ready");
  const end = until === undefined ? undefined : await tab.locator(until).first().boundingBox();
  const clip = { x: 0, y: 0, width, height: end === undefined ? height : (end?.y ?? height) - 16 };
  const body = await tab.locator("body").boundingBox();
  await tab.screenshot({
    path: join(pictures, out),
    clip: { ...clip, height: Math.min(clip.height, Math.ceil(body?.height ?? height)) },
    omitBackground: true,
    ...(quality !== undefined && { quality }),
  });
  await tab.close();
}

try {
  for (const colorScheme of /** @type {const} */ (["light", "dark"]))
    await screenshot(change, colorScheme, `report-${colorScheme}.png`, { until: "details", scale: 1.5 });
  await screenshot(join(scratch, "terminal.html"), "dark", "terminal.png", { scale: 1.5 });
  await screenshot(join(scratch, "drift-terminal.html"), "dark", "drift-terminal.png");
  await screenshot(join(scratch, "drift.html"), "light", "drift-500.jpg", {
    width: 500,
    height: 1400,
    quality: 70,
  });
  await screenshot(join(scratch, "report-3.html"), "light", "report-3-light.jpg", {
    height: 1100,
    quality: 70,
  });
  await screenshot(join(scratch, "report-50.html"), "dark", "report-50-dark.jpg", {
    height: 1100,
    quality: 70,
  });
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
