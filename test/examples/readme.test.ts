import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import * as resources from "../../src/provider/resources/index.js";
import { ENVIRONMENT, READ_ONLY, SETTING_KEYS } from "../../src/shared/configuration/settings.js";
import { LEAST_VERSION } from "../../tools/dev/pulumi-cli/release.mjs";
import { CHECKOUT, read, readJson } from "../support/checkout.js";
import { optionsOf, problemsOf } from "./compiler.js";
import {
  type Block,
  blockMarked,
  brokenLinks,
  documentAt,
  documents,
  handwritten,
  tableOf,
  targetsOf,
} from "./documents.js";

const { text: readme } = documentAt("README.md");
const examples = readdirSync(join(CHECKOUT, "examples"));
const scripts: Record<string, string> = readJson("package.json").scripts;

/** The documents whose commands and programs this file answers for. Others have tests of their own. */
const guides = documents
  .map(({ path }) => path)
  .filter((path) =>
    /^README|^docs\/(start|guides|explain)\/|\/(emulator|client|functions|resources|settings)\.md$/.test(
      path,
    ),
  )
  .map(handwritten);

/** The names under which tests run blocks: test/engine/*.long.test.ts, test/commands/emulator/command.test.ts, recover.test.ts. */
const RUN = [
  ...["readme", "first-program", "platform-team", "emulator", "emulator-script", "library", "guides"],
  ...["restore", "import", "passphrase", "deleted", "revoke", "pulumiverse", "move", "agent-token"],
  ...["rotation", "share", "share-tarball", "share-plugin", "pulumi-do"],
];

/** The names under which test/examples/code-blocks.test.ts runs blocks. */
const DRIVEN = ["first-client", "client", "emulator"];

/** Whether a test runs, compiles or compares a block, or it says why none does; the tests that it names must exist. */
function isHeld({ verb, object, language, text }: Block): boolean {
  if (verb === "excerpt" || language === "mermaid") return true;
  if (verb === "type-checked") return language === "ts";
  if (verb === "not-run")
    return (object.match(/test\/[\w./-]+/g) ?? []).every((path) => existsSync(join(CHECKOUT, path)));
  if (verb === "driven") return DRIVEN.includes(object);
  if (verb === "run" || verb === "file") return RUN.includes(object.split("/")[0] ?? "");
  if (verb === "printed") return object === "pulumi preview";
  return language === "sh" && text === "npm start";
}

describe("README", () => {
  test("has at most 750 words", () => {
    expect(readme.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(750);
  });

  test("shows a picture for light and for dark", () => {
    const [, picture = ""] = /<picture>(.*?)<\/picture>/s.exec(readme) ?? [];
    expect(picture).toContain("prefers-color-scheme: dark");
    expect(targetsOf({ text: picture })).toHaveLength(2);
  });

  test("lists the resource types and nothing else", () => {
    const rows = tableOf(readme, "## Resources").flatMap(({ resource = "" }) =>
      [...resource.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    );
    expect(rows.sort()).toEqual(Object.keys(resources).sort());
  });

  test("names the version of the package, and that of the Terraform provider that the guide is about", () => {
    const [row = {}] = tableOf(readme, "## Compare");
    const [ours = "", , terraform = ""] = Object.values(row).slice(1);
    const { version } = readJson("package.json");
    expect(ours).toContain(version);
    expect(documentAt("docs/guides/from-terraform.md").text).toContain(`version ${terraform.split(",")[0]}.`);
  });
});

describe("The documents", () => {
  test.each(guides.map((guide) => [guide.path, guide] as const))(
    "%s has no command and no program that no test holds",
    (_, { blocks }) => {
      expect(blocks.filter((block) => !isHeld(block)).map(({ place }) => place)).toEqual([]);
    },
  );

  test("name scripts that exist", () => {
    const npmItself = new Set(["ci", "init", "install", "pack", "publish", "run"]);
    const named = ["README.md", "CONTRIBUTING.md", "docs/explain/versions.md"].flatMap((path) =>
      [...documentAt(path).text.matchAll(/(?:^|`)npm (?:run )?(?:-s )?([a-z][a-z:]*)/gm)].map(
        ([, name = ""]) => name,
      ),
    );
    expect(named.filter((name) => !npmItself.has(name) && !(name in scripts))).toEqual([]);
    expect(named).toContain("check");
  });

  test("link to every example", () => {
    const linked = documents.flatMap((document) =>
      targetsOf(document).map((target) => join(dirname(document.path), target)),
    );
    const missing = examples.filter((name) => !linked.some((path) => path.startsWith(`examples/${name}/`)));
    expect(missing).toEqual([]);
  });

  test.each(["tools/release/registry/installation-configuration.md", "docs/reference/settings.md"])(
    "%s lists the settings that exist",
    (path) => {
      const settings = read("src/shared/configuration/settings.ts");
      const { text } = documentAt(path);
      const named = [
        ...[...text.matchAll(/BUILDPIPELINE_[A-Z_]+/g)].map(([name]) => name),
        ...[...text.matchAll(/buildpipeline:(\w+)/g)].map(([, name = ""]) => name),
      ];
      expect([...new Set(named)].filter((name) => !settings.includes(name))).toEqual([]);
      const keys = SETTING_KEYS.map((key) => `buildpipeline:${key}`);
      const missing = [...keys, ...Object.values(ENVIRONMENT), READ_ONLY].filter(
        (name) => !text.includes(name),
      );
      expect(missing).toEqual([]);
    },
  );
});

test("Jobs in documents that get one of the settings get all, because none has a default", () => {
  const { accessToken, organization, baseUrl } = ENVIRONMENT;
  const names = [accessToken, organization, baseUrl];
  const jobs = documents.flatMap(({ blocks }) => blocks).filter(({ language }) => language === "yaml");
  const given = jobs.map(({ place, text }) => ({
    place,
    names: names.filter((name) => text.includes(name)),
  }));
  expect(given.filter((job) => job.names.length > 0 && job.names.length < names.length)).toEqual([]);
  expect(given.some((job) => job.names.length > 0)).toBe(true);
});

describe.each(documents.map((document) => [document.path, document] as const))("%s", (_, document) => {
  test("links to what is there", () => {
    expect(brokenLinks(document)).toEqual([]);
  });

  test("quotes examples as they stand", () => {
    const excerpts = document.blocks.filter(({ verb }) => verb === "excerpt");
    const wrong = excerpts.filter(({ text, object }) => !read(object).includes(text));
    expect(wrong.map(({ place, object }) => `${place}: ${object}`)).toEqual([]);
  });
});

test("The library of components in docs/guides/programs.md takes the versions that the package does", () => {
  const library = JSON.parse(blockMarked("file", "library/package.json").text);
  const { version, peerDependencies } = readJson("package.json");
  expect(library.peerDependencies).toEqual({ ...peerDependencies, "pulumi-buildpipeline": `^${version}` });
});

test("The versions that the documents ask for are those of the package", () => {
  const { engines, peerDependencies } = readJson("package.json");
  const least = Object.fromEntries(
    tableOf(documentAt("docs/explain/versions.md").text, "## Versions").map((row) => [
      row[""],
      row["at least"],
    ]),
  );
  expect(`>=${least.Node}`).toBe(engines.node);
  expect(peerDependencies["@pulumi/pulumi"]).toBe(`>=${least["`@pulumi/pulumi`"]}.0 <4`);
  expect(LEAST_VERSION).toBe(`${least["Pulumi CLI"]}.0`);
  expect(documentAt("docs/start/get-started.md").text).toContain(
    `Node ${least.Node} or later, and the [Pulumi CLI](https://www.pulumi.com/docs/install/) (${least["Pulumi CLI"]} or later)`,
  );
});

/** Where a block's file is in the reader's project, next to what it imports. */
function folderOf(object: string): string {
  const [project, folder] = object.split("/");
  return project === "platform-team" ? `examples/organization/${folder}` : "examples/quickstart";
}

test("TypeScript in all documents compiles, strictly, or is in an example", () => {
  // These have tests of their own.
  const elsewhere = (path: string) => path.endsWith("adding-a-kind.md") || path.startsWith("docs/reference/");
  const files = documents
    .filter(({ path }) => !elsewhere(path))
    .flatMap(({ path, blocks }) =>
      blocks
        .filter(({ verb, language }) => language === "ts" && verb !== "excerpt")
        .map(({ place, text, object }): [string, string] => [
          `${folderOf(object)}/${`${path} ${place}`.replaceAll(/\W/g, "-")}.ts`,
          text,
        ]),
    );
  expect(files.length).toBeGreaterThan(3);
  const options = { ...optionsOf("tsconfig.json"), rootDir: CHECKOUT };
  expect(problemsOf(Object.fromEntries(files), options)).toEqual([]);
});
