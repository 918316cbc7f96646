import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addresses } from "../../tools/site/addresses.mjs";
import { CHECKOUT, read, readJson, testFolder } from "../support/checkout.js";
import { printed } from "../support/command.js";
import { anchorsOf, documentAt, documents } from "./documents.js";

const { repository, version } = readJson("package.json");
const [, own = ""] = /^git\+(https:\/\/.+)\.git$/.exec(repository.url) ?? [];

const sources = readdirSync(join(CHECKOUT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => read("src", file));

/** The pages that messages and reports name, with their sections. */
const named = sources.flatMap((source) =>
  [...source.matchAll(/placeOfPage\("([^"]+)"\)/g)].map(([, page = ""]) => page),
);
const inCommands = [...sources, read("plugin", "schema.json"), ...documents.map(({ text }) => text)].flatMap(
  (text) => [...text.matchAll(/buildpipeline docs ([a-z][\w./#-]*\w)/g)].map(([, page = ""]) => page),
);

test.each(named)("The page %s, which a message names, exists with its section", (page) => {
  const [path, section] = page.split("#");
  const { text } = documentAt(`docs/${path}.md`);
  if (section !== undefined) expect(anchorsOf(text)).toContain(section);
});

test.each([...new Set([...inCommands, ...named.map((page) => page.replace(/^.*\//, ""))])])(
  "The command `docs %s`, which a message or a document names, prints a page",
  async (page) => {
    expect(await printed(["docs", page])).toMatch(/^#+ /);
  },
);

test("No address leads to a placeholder or to a missing file of this repository, and those of others are encrypted", () => {
  const all = addresses();
  expect(all.length).toBeGreaterThan(10);
  const wrong = all.filter((address) => {
    if (!address.startsWith(own)) return !address.startsWith("https://");
    const [, path = ""] = /\/(?:blob|tree)\/[^/]+\/([^#]*)/.exec(address) ?? [];
    return address.includes("your-organization") || !existsSync(join(CHECKOUT, path));
  });
  expect(wrong).toEqual([]);
});

const lost = join(CHECKOUT, "test", "review", "report", "recorded", "drift.json");

test("A report of a lost object names the command that prints the page, because no release has an address yet", async () => {
  const { homepage } = readJson("package.json");
  expect(homepage).toBeUndefined();
  expect(await printed(["report", lost])).toContain(
    "How to restore what was deleted: <code>npx pulumi-buildpipeline docs recover</code>",
  );
});

test("A report of a released package names the page of this version by its address", () => {
  const copy = testFolder();
  cpSync(join(CHECKOUT, "dist"), join(copy, "dist"), { recursive: true });
  symlinkSync(join(CHECKOUT, "node_modules"), join(copy, "node_modules"));
  const manifest = { ...readJson("package.json"), homepage: "https://github.com/acme/pulumi-ci#readme" };
  writeFileSync(join(copy, "package.json"), JSON.stringify(manifest));
  const command = [join(copy, "dist", "commands", "main.js"), "report", lost];
  expect(execFileSync(process.execPath, command, { encoding: "utf8" })).toContain(
    `How to restore what was deleted: https://github.com/acme/pulumi-ci/blob/v${version}/docs/guides/recover.md`,
  );
});
