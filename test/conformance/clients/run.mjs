// Runs clients of this API that others wrote against `buildpipeline emulator`.
//
//   npm test -- clients         needs python3 (with venv), the Python package index, Go and its module proxy
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../../dist/emulator/index.js";
import { checkout } from "../../../tools/dev/checkout.mjs";

const python = join(checkout, "test", "conformance", "clients", "python");
const go = join(checkout, "test", "conformance", "clients", "go");
const requirements = join(python, "requirements.txt");
/** The operations that each client uses, which docs/reference/conformance.md shows. */
const used = join(checkout, "test", "conformance", "clients", "operations.json");
// Outside of version control, and kept between runs.
const cache = join(checkout, ".buildpipeline", "clients");

const interpreter = await preparePython();
const versionIn = (/** @type {string} */ file, /** @type {RegExp} */ version) =>
  version.exec(readFileSync(file, "utf8"))?.[1];
const clients = [
  {
    name: `pybuildkite ${versionIn(requirements, /^pybuildkite==(.+)$/m)}`,
    command: [interpreter, "-m", "unittest", "discover", "-v", "-s", python],
  },
  {
    name: `go-buildkite ${versionIn(join(go, "go.mod"), /go-buildkite\/v4 v(\S+)/)}`,
    command: ["go", "test", "-C", go, "-mod=readonly", "-count=1", "-v", "."],
  },
];
/** @type {Record<string, string[]>} */
const seen = {};
for (const { name, command } of clients) {
  console.log(`\n${name}`);
  // Each with an emulator of its own.
  const emulator = await startEmulator();
  const passed = await run(command, {
    BUILDPIPELINE_BASE_URL: emulator.url,
    BUILDPIPELINE_ORGANIZATION: emulator.organization,
    BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
    READ_ONLY_ACCESS_TOKEN: emulator.readOnlyAccessToken,
    SPARE_ACCESS_TOKEN: emulator.spareAccessToken,
    GOWORK: "off",
  });
  const done = emulator.requests.filter(({ status }) => status !== null && status < 300);
  seen[name] = [...new Set(done.flatMap(({ operation }) => operation ?? []))].sort();
  await emulator.close();
  console.log(`${name}: ${passed ? "passed" : "failed"}`);
  if (!passed) process.exitCode = 1;
}
const text = `${JSON.stringify(seen, undefined, 2)}\n`;
if (process.argv.includes("--write")) writeFileSync(used, text);
else if (readFileSync(used, "utf8") !== text) {
  console.log("The clients use other operations than in operations.json: run `npm run generate -- clients`.");
  process.exitCode = 1;
}

/** A virtual environment with exactly the required packages. @returns {Promise<string>} its interpreter. */
async function preparePython() {
  const environment = join(cache, "python");
  const interpreter = join(environment, "bin", "python");
  const installed = join(environment, "requirements.txt");
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return interpreter;
  mkdirSync(cache, { recursive: true });
  const made =
    (await run(["python3", "-m", "venv", "--clear", environment])) &&
    (await run([
      ...[interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"],
      ...["-r", requirements],
    ]));
  if (!made) throw new Error("The Python package could not be installed: see above.");
  writeFileSync(installed, wanted);
  return interpreter;
}

/**
 * @param {string[]} command
 * @param {Record<string, string>} [environment]
 * @returns {Promise<boolean>} whether it succeeded.
 */
async function run([command = "", ...parameters], environment = {}) {
  // Compiled files would be left in the checkout.
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...environment };
  const [status] = await once(spawn(command, parameters, { stdio: "inherit", env }), "close");
  return status === 0;
}
