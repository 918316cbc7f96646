// SDKs of other languages, which Pulumi generates from the plugin's schema, packed as their registries take them.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, leftovers } from "../dev/checkout.mjs";
import { mustRun, run, step } from "../dev/command.mjs";
import { pulumiCommand, pulumiEnvironment } from "../dev/pulumi-cli/locate.mjs";
import { writeSbom } from "./sbom.mjs";
import { EPOCH, writeTarball } from "./tarball.mjs";
import { version } from "./version.mjs";

const schema = join(checkout, "plugin", "schema.json");
const requirements = join(import.meta.dirname, "requirements.txt");

/** The Go SDK needs this version of Pulumi's, as those that Pulumi itself generates for one project do. */
const GO_SDK = "v3.256.0";

/** Packs the files below the current directory. Go refuses entries for directories, which other tools add. */
const ZIP_FILES = `
import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    for file in sorted(path for path in pathlib.Path(".").rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(file.as_posix())
        entry.external_attr = 0o644 << 16
        archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
`;

/**
 * Generates and packs every SDK that this machine has the tools for.
 *
 * @param {string} out the folder for the files
 * @param {string} goModule its path
 * @returns {Promise<string[]>} why there is no SDK for some languages
 */
export async function sdks(out, goModule) {
  mkdirSync(leftovers, { recursive: true });
  const work = mkdtempSync(join(leftovers, "sdks-"));
  const builders = {
    python: packPython,
    go: (/** @type {string} */ source) => packGo(source, goModule, out),
    dotnet: packSource("dotnet"),
    java: packSource("java"),
  };
  const obstacles = [];
  try {
    for (const [language, pack] of Object.entries(builders)) {
      const missing = await step(`SDK for ${language}`, () => generate(language, work));
      if (missing === undefined)
        await step(`Packing the SDK for ${language}`, () => pack(join(work, language), out));
      else obstacles.push(`There is no SDK for ${language}: ${missing}.`);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return obstacles;
}

/** @param {string} language @param {string} work @returns {Promise<string | undefined>} why there is no SDK */
async function generate(language, work) {
  const result = await run(
    pulumiCommand(),
    ["package", "gen-sdk", schema, "--language", language, "--version", version, "--out", work],
    { env: pulumiEnvironment() },
  );
  if (result.code === 0) return undefined;
  return result.output.includes("no language plugin")
    ? `pulumi-language-${language} is not on the PATH`
    : result.output.trim();
}

/** A wheel and a source distribution. @param {string} source @param {string} out */
async function packPython(source, out) {
  const environment = join(source, ".venv");
  const python = join(environment, process.platform === "win32" ? "Scripts/python" : "bin/python");
  await mustRun("Making a virtual environment", "python3", ["-m", "venv", environment]);
  const pinned = ["--require-hashes", "--only-binary", ":all:", "--requirement", requirements];
  await mustRun("Installing build", python, ["-m", "pip", "install", "--quiet", ...pinned]);
  // An isolated build would install setuptools without a pin.
  const built = join(source, ".built");
  const build = ["-m", "build", "--no-isolation", "--outdir", built, source];
  await mustRun("Building the Python package", python, build, {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH), PYTHONHASHSEED: "0" },
  });
  const needs = /^Requires-Dist: ([\w.-]+) *(.*)$/gm;
  for (const name of readdirSync(built)) {
    const file = join(out, name);
    if (name.endsWith(".whl")) cpSync(join(built, name), file);
    else await repack(join(built, name), file);
    const folder = readdirSync(source).find((entry) => entry.endsWith(".egg-info")) ?? "";
    const described = readFileSync(join(source, folder, "PKG-INFO"), "utf8");
    const parts = [...described.matchAll(needs)].map(([, name = "", range = ""]) => ({
      name,
      description: `Any version that satisfies ${range}`,
      purl: `pkg:pypi/${name}`,
    }));
    writeSbom(file, `pkg:pypi/pulumi-buildpipeline@${version}`, parts);
  }
}

/** Packs a source distribution again, because setuptools writes the times of its files. @param {string} from @param {string} to */
async function repack(from, to) {
  const folder = `${from}.unpacked`;
  mkdirSync(folder);
  await mustRun("Unpacking the Python sources", "tar", ["-xzf", from, "-C", folder]);
  writeTarball(to, folder);
}

/**
 * The module as the module proxy serves it: `.info`, `.mod` and `.zip`.
 *
 * @param {string} source @param {string} goModule @param {string} out
 */
async function packGo(source, goModule, out) {
  const name = `${goModule}@v${version}`;
  const tree = join(source, ".module", name);
  mkdirSync(tree, { recursive: true });
  cpSync(join(source, "buildpipeline"), join(tree, "buildpipeline"), { recursive: true });
  cpSync(join(checkout, "LICENSE"), join(tree, "LICENSE"));
  const manifest = `module ${goModule}\n\ngo 1.25.0\n\nrequire github.com/pulumi/pulumi/sdk/v3 ${GO_SDK}\n`;
  writeFileSync(join(tree, "go.mod"), manifest);
  await mustRun("Completing go.mod", "go", ["mod", "tidy"], { cwd: tree });
  const prefix = join(out, `pulumi-buildpipeline-go-v${version}`);
  cpSync(join(tree, "go.mod"), `${prefix}.mod`);
  writeFileSync(`${prefix}.info`, `${JSON.stringify({ Version: `v${version}` })}\n`);
  await mustRun("Packing the Go module", "python3", ["-c", ZIP_FILES, `${prefix}.zip`], {
    cwd: join(source, ".module"),
  });
  const required = readFileSync(join(tree, "go.mod"), "utf8").matchAll(
    /^(?:require )?\s*([\w.-]+\/\S+) (v\S+)/gm,
  );
  const parts = [...required].map(([, name = "", of = ""]) => ({
    name,
    version: of,
    purl: `pkg:golang/${name}@${of}`,
  }));
  writeSbom(`${prefix}.zip`, `pkg:golang/${goModule}@v${version}`, parts);
}

/** Sources that the language's own build turns into a package. @param {string} language */
function packSource(language) {
  return async (/** @type {string} */ source, /** @type {string} */ out) => {
    const file = join(out, `pulumi-buildpipeline-${language}-v${version}.tar.gz`);
    writeTarball(file, source);
    // The sources contain nothing of others.
    writeSbom(file, `pkg:generic/pulumi-buildpipeline-${language}@${version}`, []);
  };
}
