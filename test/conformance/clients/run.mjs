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
const requirements = join(python, "requirements.txt");
// Outside of version control, and kept between runs.
const cache = join(checkout, ".buildpipeline", "clients");

process.exitCode = (await main()) ? 0 : 1;

/** @returns {Promise<boolean>} whether every client got along. */
async function main() {
  const interpreter = preparePython();
  const results = [
    await beside(["pybuildkite", interpreter, "-m", "unittest", "discover", "-v", "-s", python]),
    await beside(["go-buildkite", "go", "test", "-C", go, "-mod=readonly", "-count=1", "-v", "."]),
  ];
  return results.every(Boolean);
}

/**
 * Runs the tests of one client, with an emulator of their own.
 *
 * @param {[client: string, command: string, ...parameters: string[]]} client
 * @returns {Promise<boolean>} whether they passed.
 */
async function beside([client, command, ...parameters]) {
  console.log(`\n${client}`);
  const emulator = join(checkout, "dist", "commands", "main.js");
  const passed = await withEmulator(process.execPath, emulator, (environment) =>
    run(command, parameters, { ...environment, GOWORK: "off" }),
  );
  console.log(`${client}: ${passed ? "passed" : "failed"}`);
  return passed;
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
