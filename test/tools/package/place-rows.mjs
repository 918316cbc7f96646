// The places in which `npm test -- places` tries the package, and the table of docs/explain/versions.md that has a row
// for each.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../../../tools/dev/checkout.mjs";

const { engines, peerDependencies } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
const oldestNode = `${engines.node.replace(">=", "")}.0`;
const oldestSdk = peerDependencies["@pulumi/pulumi"].replace(/^>=(\S+).*/, "$1");

/**
 * @typedef {object} Place What isn't given is as in the tests: npm, and the versions that the repository pins.
 * @property {string} where What the page says.
 * @property {"npm" | "pnpm" | "yarn" | "yarn-pnp" | "bun"} [manager]
 * @property {string} [node] A version or tag of npm's packages with Node.
 * @property {string} [sdk] A version or tag of Pulumi's SDK.
 * @property {string} [typescript] A version or tag.
 * @property {"newest"} [cli]
 * @property {"bun" | "bun-alone"} [runtime] Bun runs the program, with Node on the PATH or without.
 * @property {string} [untested] Why nothing can be tried.
 */

/** By the name that the command takes. @type {Readonly<Record<string, Place>>} */
export const places = {
  npm: { where: "npm" },
  pnpm: { where: "pnpm", manager: "pnpm" },
  yarn: { where: "Yarn 4 with `node_modules`", manager: "yarn" },
  "yarn-pnp": { where: "Yarn 4 with Plug'n'Play", manager: "yarn-pnp" },
  "bun-install": { where: "Bun as package manager", manager: "bun" },
  "oldest-node": { where: "the oldest Node", node: oldestNode },
  "newest-node": { where: "the newest Node", node: "latest" },
  "oldest-sdk": { where: "the oldest SDK", sdk: oldestSdk, typescript: "5" },
  oldest: { where: "the oldest Node and SDK", node: oldestNode, sdk: oldestSdk, typescript: "5" },
  newest: { where: "the newest Node, SDK and CLI", node: "latest", sdk: "latest", cli: "newest" },
  "newest-sdk": { where: "the newest SDK", sdk: "latest" },
  "newest-cli": { where: "the newest CLI", cli: "newest" },
  "typescript-7": { where: "TypeScript 7", typescript: "7" },
  bun: { where: "`runtime: bun` with Node on the PATH", runtime: "bun" },
  "bun-alone": { where: "`runtime: bun` without Node", runtime: "bun-alone" },
  hcl: { where: "Pulumi HCL", untested: "no registry has Pulumi's host for HCL" },
};

export const PAGE = "docs/explain/versions.md";
const [START, END] = ["<!-- generated: places -->", "<!-- end: places -->"];
const HEADS = ["where", "with", "dynamic provider", "plugin", "tried on"];

/** @param {string} text @returns {Map<string, string[]>} The cells of the page's table, by the place. */
export function placesIn(text) {
  const part = text.slice(text.indexOf(START), text.indexOf(END));
  const rows = part.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
  return new Map(
    rows.slice(1).map((line) => {
      const [where = "", ...cells] = line.slice(2, -2).split(" | ");
      return [where, cells];
    }),
  );
}

/** @param {string} text @param {ReadonlyMap<string, string[]>} results What the table gets in place of its own rows. */
export function withPlaces(text, results) {
  const known = new Map([...placesIn(text), ...results]);
  const rows = Object.values(places).map(({ where, untested = "nobody has tried it" }) => {
    const nothing = ["–", `untested: ${untested}`, `untested: ${untested}`, "–"];
    return [where, ...(known.get(where) ?? nothing)];
  });
  const lines = [HEADS, HEADS.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const [from, to] = [text.indexOf(START) + START.length, text.indexOf(END)];
  return `${text.slice(0, from)}\n\n${lines.join("\n")}\n\n${text.slice(to)}`;
}
