// Writes the owner and the name of the repository into every address that contains them.
//
//   npm run release -- owner <owner> [<repository>]
//
// The present ones are those of `repository` in package.json.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [owner, repository] = process.argv.slice(2);
const checkout = process.cwd();
const { url } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")).repository;
const [, present = "", name = ""] = /github\.com\/([^/]+)\/([^/]+?)(?:\.git)?$/.exec(url) ?? [];
if (
  owner === undefined ||
  !/^[\w-]+$/.test(owner) ||
  !/^[\w.-]+$/.test(repository ?? name) ||
  present === ""
) {
  console.error("Usage: npm run release -- owner <owner> [<repository>]");
  process.exit(2);
}
const files = execFileSync("git", ["grep", "-lzIF", `${present}/${name}`], {
  cwd: checkout,
  encoding: "utf8",
});
const changed = files.split("\0").filter((file) => file !== "");
// `@<owner>/…` and the like are other names, so the address ends where a name does.
const address = new RegExp(`(?<![\\w@-])${present}/${name.replaceAll(".", "\\.")}(?![\\w-])`, "g");
for (const file of changed) {
  const path = join(checkout, file);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(address, `${owner}/${repository ?? name}`));
}
// Messages name the pages of the installed package until package.json has a homepage.
const manifest = join(checkout, "package.json");
const home = `https://github.com/${owner}/${repository ?? name}#readme`;
const described = readFileSync(manifest, "utf8");
if (JSON.parse(described).homepage === undefined)
  writeFileSync(manifest, described.replace(/^ *"bugs":/m, `  "homepage": ${JSON.stringify(home)},\n$&`));
// The schema has no address with a placeholder.
const schema = join(checkout, "plugin", "schema.json");
const {
  name: plugin,
  displayName,
  version,
  description,
  keywords,
  license,
  ...rest
} = JSON.parse(readFileSync(schema, "utf8"));
const { homepage, repository: source } = JSON.parse(readFileSync(manifest, "utf8"));
const addresses = {
  homepage,
  license,
  repository: source.url.replace(/^git\+|\.git$/g, ""),
  pluginDownloadURL: `github://api.github.com/${owner}/${repository ?? name}`,
};
const completed = {
  name: plugin,
  displayName,
  version,
  description,
  keywords,
  ...addresses,
  ...rest,
  ...addresses,
};
writeFileSync(schema, `${JSON.stringify(completed, undefined, 2)}\n`);
console.log(`${owner}/${repository ?? name} is in ${changed.length} files:\n${changed.join("\n")}`);
