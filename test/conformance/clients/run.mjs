// Runs clients of this API that others wrote against `buildpipeline emulator`.
//
//   npm test -- clients         needs python3 (with venv), the Python package index, Go and its module proxy
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../../../tools/dev/checkout.mjs";
import { withEmulator } from "./emulator-command.mjs";

const python = join(checkout, "test", "conformance", "clients", "python");
const go = join(checkout, "test", "conformance", "clients", "go");
const emulator = join(checkout, "dist", "commands", "main.js");
const requirements = join(python, "requirements.txt");
// Outside of version control, and kept between runs.
const cache = join(checkout, ".buildpipeline", "clients");

const interpreter = preparePython();
const clients = [
  ["pybuildkite", interpreter, "-m", "unittest", "discover", "-v", "-s", python],
  ["go-buildkite", "go", "test", "-C", go, "-mod=readonly", "-count=1", "-v", "."],
];
for (const [client, command = "", ...parameters] of clients) {
  console.log(`\n${client}`);
  // Each with an emulator of its own.
  const passed = await withEmulator(process.execPath, emulator, (environment) =>
    run(command, parameters, { ...environment, GOWORK: "off" }),
  );
  console.log(`${client}: ${passed ? "passed" : "failed"}`);
  if (!passed) process.exitCode = 1;
}

/** A virtual environment with exactly the required packages. @returns {string} its interpreter. */
function preparePython() {
  const environment = join(cache, "python");
  const interpreter = join(environment, "bin", "python");
  const installed = join(environment, "requirements.txt");
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return interpreter;
  mkdirSync(cache, { recursive: true });
  const made =
    run("python3", ["-m", "venv", "--clear", environment]) &&
    run(interpreter, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]);
  if (!made) throw new Error("The Python package could not be installed: see above.");
  writeFileSync(installed, wanted);
  return interpreter;
}

/**
 * @param {string} command
 * @param {string[]} parameters
 * @param {Record<string, string>} [environment]
 * @returns {boolean} whether it succeeded.
 */
function run(command, parameters, environment = {}) {
  const { error, status } = spawnSync(command, parameters, {
    stdio: "inherit",
    // Compiled files would be left in the checkout.
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...environment },
  });
  if (error !== undefined) throw new Error(`${command} could not be run: ${error.message}`);
  return status === 0;
}
