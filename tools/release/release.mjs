// Builds everything that a release consists of, and uploads it if asked to.
//
//   npm run release [-- --out <folder>] [--plugins <folder of archives>] [--platform <name>...] [--publish [--built]]
//
// Without --publish it's a dry run: the same artifacts, nothing uploaded. --plugins takes archives that were built
// elsewhere, such as the signed ones for macOS; --platform builds the plugin for some platforms only. --built uploads
// the artifacts of the dry run before it, without any installed package. --publish uploads to GitHub; npm and PyPI
// accept uploads from the workflow release.yml.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "../dev/checkout.mjs";
import { mustRun, Problem, runMain, step } from "../dev/command.mjs";
import { isOwned } from "./placeholder.mjs";
import { PLATFORMS } from "./platforms.mjs";
import { publish } from "./publish.mjs";
import { npmDependencies, npmPurl, SBOM, writeSbom } from "./sbom.mjs";
import { writeTarball } from "./tarball.mjs";
import { version } from "./version.mjs";

const CHECKSUMS = "SHA256SUMS";
const NOTES = "RELEASE_NOTES.md";
/** The reasons against publishing what a dry run built. */
const NOT_READY = "NOT_READY.txt";

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      publish: { type: "boolean", default: false },
      built: { type: "boolean", default: false },
      out: { type: "string", default: "release" },
      plugins: { type: "string" },
      platform: { type: "string", multiple: true },
    },
  });
  const out = resolve(values.out);
  const plugins = values.plugins === undefined ? undefined : resolve(values.plugins);
  if (!values.built) await build(out, { plugins, platform: values.platform });
  const artifacts = confirmed(out);
  for (const file of [...artifacts, CHECKSUMS, NOTES]) {
    process.stdout.write(`${size(join(out, file)).padStart(9)}  ${file}\n`);
  }
  const obstacles = existsSync(join(out, NOT_READY)) ? readFileSync(join(out, NOT_READY), "utf8") : "";
  process.stderr.write(obstacles);
  if (!values.publish) {
    process.stderr.write(`Dry run: nothing was uploaded. The artifacts are in ${out}.\n`);
    return;
  }
  if (obstacles !== "") throw new Problem("Nothing was uploaded.");
  await publish({ out, artifacts: [...artifacts, CHECKSUMS], notes: join(out, NOTES), goModule: goModule() });
});

/** Packs what npm gets, without the scripts, which work in a checkout only. @param {string} out */
async function packPackage(out) {
  const args = ["pack", "--pack-destination", out, "--silent", "--ignore-scripts"];
  await mustRun("Packing", "npm", args, { cwd: checkout });
  const [packed = ""] = readdirSync(out);
  const folder = mkdtempSync(join(tmpdir(), "buildpipeline-"));
  try {
    await mustRun("Unpacking", "tar", ["-xzf", join(out, packed), "-C", folder]);
    const manifest = join(folder, "package", "package.json");
    const { scripts: _, ...kept } = JSON.parse(readFileSync(manifest, "utf8"));
    writeFileSync(manifest, `${JSON.stringify(kept, undefined, 2)}\n`);
    writeTarball(join(out, packed), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} out
 * @param {{ plugins: string | undefined, platform: string[] | undefined }} options
 */
async function build(out, { plugins, platform }) {
  const names = PLATFORMS.map(({ name }) => name);
  const unknown = platform?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Problem(`There is no platform ${unknown}. The plugin is built for ${names.join(", ")}.`);
  }
  // Archives of some tools contain the rights of files, which would follow the user's settings.
  process.umask(0o022);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await step("npm package", () => packPackage(out));
  const [packed = ""] = readdirSync(out);
  writeSbom(join(out, packed), npmPurl("pulumi-buildpipeline", version), npmDependencies());
  const { sdks } = await import("./sdks.mjs");
  const obstacles = [...(await addPlugins(out, { plugins, platform })), ...(await sdks(out, goModule()))];
  const artifacts = readdirSync(out).sort();
  const checksums = artifacts.map((file) => `${sha256(join(out, file))}  ${file}\n`);
  writeFileSync(join(out, CHECKSUMS), checksums.join(""));
  const notes = releaseNotes();
  if (!notes.released) obstacles.push(`CHANGELOG.md has no section for ${version}.`);
  writeFileSync(join(out, NOTES), `${notes.text}\n`);
  const named = ["package.json", "plugin/schema.json"].map((file) =>
    readFileSync(join(checkout, file), "utf8"),
  );
  if (!isOwned(named.join())) {
    obstacles.push("package.json still has placeholders; docs/internals/releasing.md lists them.");
  }
  if (obstacles.length === 0) return;
  writeFileSync(
    join(out, NOT_READY),
    obstacles.map((reason) => `Not ready to publish: ${reason}\n`).join(""),
  );
}

/** Returns the version's own section of CHANGELOG.md, or what is unreleased. */
function releaseNotes() {
  const sections = readFileSync(join(checkout, "CHANGELOG.md"), "utf8").split(/^## /m).slice(1);
  const find = (/** @type {string} */ title) =>
    sections.find((section) => new RegExp(`^\\[?${title}\\b`, "i").test(section));
  const own = find(version.replaceAll(".", "\\."));
  const section = own ?? find("unreleased") ?? "";
  return { released: own !== undefined, text: section.slice(section.indexOf("\n")).trim() };
}

/** Returns the artifacts in a folder, whose checksums have to be right. @param {string} out */
function confirmed(out) {
  const lines = readFileSync(join(out, CHECKSUMS), "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [sum = "", file = ""] = line.split("  ");
    if (sha256(join(out, file)) !== sum) throw new Problem(`${file} isn't what ${CHECKSUMS} says.`);
    return file;
  });
}

/**
 * Builds the plugin's archives, or takes those that were built elsewhere.
 *
 * @param {string} out
 * @param {{ plugins: string | undefined, platform: string[] | undefined }} options
 * @returns {Promise<string[]>} what keeps them from being published
 */
async function addPlugins(out, { plugins, platform }) {
  const built = new Set();
  if (plugins !== undefined) {
    for (const { name } of PLATFORMS) {
      const file = `pulumi-resource-buildpipeline-v${version}-${name}.tar.gz`;
      if (!readdirSync(plugins).includes(file)) continue;
      for (const one of [file, file + SBOM]) copyFileSync(join(plugins, one), join(out, one));
      built.add(name);
    }
  }
  const wanted = PLATFORMS.filter(
    ({ name }) =>
      !built.has(name) && (platform === undefined ? plugins === undefined : platform.includes(name)),
  );
  const { pluginArchives } = await import("./plugin-archives.mjs");
  const archives = wanted.length === 0 ? [] : await pluginArchives(out, wanted);
  for (const { platform: name } of archives) built.add(name);
  return [
    ...archives
      .filter(({ ready }) => !ready)
      .map(({ file }) => `${basename(file)} isn't signed: build it on macOS.`),
    ...PLATFORMS.filter(({ name }) => !built.has(name)).map(({ name }) => `There is no plugin for ${name}.`),
  ];
}

/** @returns {string} the path of the Go module, as the schema has it */
function goModule() {
  const { language } = JSON.parse(readFileSync(join(checkout, "plugin", "schema.json"), "utf8"));
  return language.go.importBasePath.replace(/\/[^/]+$/, "");
}

/** @param {string} file */
function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** @param {string} file */
function size(file) {
  const { size: bytes } = statSync(file);
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
