// The bill of materials of a release archive, in CycloneDX's format: what the archive contains or needs, with licenses
// and checksums. It has neither a time nor a random number, so two builds write the same one.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { checkout } from "../dev/checkout.mjs";
import { Problem } from "../dev/command.mjs";
import { version } from "./version.mjs";

/** @typedef {{ type?: string, name: string, version?: string, license?: string, description?: string, purl: string, sha512?: string }} Part */

/** The ending of the bill's name, which begins with the archive's. */
export const SBOM = ".cdx.json";

/**
 * Writes the bill beside its archive.
 *
 * @param {string} archive
 * @param {string} purl of the archive, as package registries name it
 * @param {readonly Part[]} parts
 */
export function writeSbom(archive, purl, parts) {
  const root = { type: "library", name: "pulumi-buildpipeline", version, license: "Apache-2.0", purl };
  const sha256 = createHash("sha256").update(readFileSync(archive)).digest("hex");
  const components = [...parts].sort((one, other) => (one.purl < other.purl ? -1 : 1)).map(component);
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        ...component(root),
        hashes: [{ alg: "SHA-256", content: sha256 }],
        properties: [{ name: "archive", value: basename(archive) }],
      },
    },
    components,
    dependencies: [
      { ref: purl, dependsOn: components.map((one) => one["bom-ref"]) },
      ...components.map((one) => ({ ref: one["bom-ref"] })),
    ],
  };
  writeFileSync(archive + SBOM, `${JSON.stringify(bill, undefined, 2)}\n`);
}

/** @param {Part} part */
function component({ type = "library", license, purl, sha512, ...named }) {
  return {
    type,
    "bom-ref": purl,
    ...named,
    ...(sha512 && { hashes: [{ alg: "SHA-512", content: sha512 }] }),
    ...(license && {
      licenses: [/ (?:OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
    }),
    purl,
  };
}

/** @type {Record<string, { version: string, license?: string, integrity?: string, dependencies?: Record<string, string> }>} */
const locked = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")).packages;

/** Returns a package of npm as package-lock.json has it. @param {string} directory of the package @returns {Part} */
export function npmPart(directory) {
  // The folder itself may be a link to another checkout's.
  const path = directory.replaceAll("\\", "/").replace(/^.*?(?=node_modules\/)/, "");
  const name = path.replace(/.*node_modules\//, "");
  const found = locked[path];
  if (found?.integrity === undefined) throw new Problem(`package-lock.json has no ${path}.`);
  return {
    name,
    version: found.version,
    ...(found.license !== undefined && { license: found.license }),
    purl: npmPurl(name, found.version),
    sha512: Buffer.from(found.integrity.replace("sha512-", ""), "base64").toString("hex"),
  };
}

/** @param {string} name @param {string} of the version */
export function npmPurl(name, of) {
  return `pkg:npm/${name.replace("@", "%40")}@${of}`;
}

/** Returns what npm installs with this package, in the locked versions that were tested. @returns {Part[]} */
export function npmDependencies() {
  const found = new Set();
  const visit = (/** @type {string} */ from) => {
    for (const name of Object.keys(locked[from]?.dependencies ?? {})) {
      const path = installed(from, name);
      if (found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  visit("");
  return [...found].map(npmPart);
}

/** Returns where Node finds a package from another one: the nearest folder above. @param {string} from @param {string} name */
function installed(from, name) {
  for (let folder = from; ; folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, "")) {
    const path = posix.join(folder, "node_modules", name);
    if (path in locked) return path;
    if (folder === "") throw new Problem(`package-lock.json has no ${name} for ${from}.`);
  }
}
