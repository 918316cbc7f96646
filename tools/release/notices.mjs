// The licenses of everything that is part of the plugin's executable.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../dev/command.mjs";
import { NODE_VERSION } from "./platforms.mjs";

/**
 * @param {readonly string[]} packages directories of the bundled npm packages
 * @param {string} nodeLicense Node's LICENSE, which includes those of the libraries in it
 */
export function thirdPartyNotices(packages, nodeLicense) {
  const sections = packages.map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    if (typeof license !== "string") throw new Problem(`${name} ${version} names no license.`);
    return [`${name} ${version} (${license})`, licenseText(directory)];
  });
  sections.push([`Node.js ${NODE_VERSION}`, readFileSync(nodeLicense, "utf8")]);
  const line = "=".repeat(80);
  return [
    "This program contains the following software.\n",
    ...sections.map(([title, text]) => `${line}\n${title}\n${line}\n\n${text?.trim()}\n`),
  ].join("\n");
}

/** @param {string} directory */
function licenseText(directory) {
  const file = readdirSync(directory).find((name) => /^(?:licen[cs]e|copying)(?:\.|$)/i.test(name));
  if (file !== undefined) return readFileSync(join(directory, file), "utf8");
  return "The package has no file with its license; the name above stands for the license's usual text.";
}
