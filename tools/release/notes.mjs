// The section of CHANGELOG.md that describes a version.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../checkout.mjs";

/**
 * @param {string} version
 * @returns {{ released: boolean, text: string }} the version's own section, or what is unreleased
 */
export function releaseNotes(version) {
  const sections = readFileSync(join(checkout, "CHANGELOG.md"), "utf8").split(/^## /m).slice(1);
  const find = (/** @type {string} */ title) =>
    sections.find((section) => new RegExp(`^\\[?${title}\\b`, "i").test(section));
  const own = find(version.replaceAll(".", "\\."));
  const section = own ?? find("unreleased") ?? "";
  return { released: own !== undefined, text: section.slice(section.indexOf("\n")).trim() };
}
