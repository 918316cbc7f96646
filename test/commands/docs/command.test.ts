import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHECKOUT, read, testFolder } from "../../support/checkout.js";
import { buildpipeline, printed } from "../../support/command.js";
import { writeCommand } from "../../support/commands-on-path.js";

describe("buildpipeline docs", () => {
  test("prints the list of pages, because a reader who needs one doesn't know its name yet", async () => {
    const page = read("docs", "README.md").replace(/^ *<!--.*-->\n/gm, "");
    expect(await printed(["docs"])).toBe(page);
  });

  test.each(["recover", "guides/recover", "recover.md"])(
    "prints the page %s without the comments that are for tests",
    async (name) => {
      const page = await printed(["docs", name]);
      expect(page).toMatch(/^# Recover\n/);
      expect(page).toContain("npx pulumi-buildpipeline recover --yes");
      expect(page).not.toContain("<!--");
    },
  );

  test("wraps a page for a terminal, with tables as lists and links as commands", async () => {
    const { stdout } = await buildpipeline(["docs", "recover"], { columns: 70 });
    expect(stdout).toMatch(/^Recover\n\nFind what you see/);
    expect(stdout).toContain("- a cluster that is gone\n    A cluster was deleted →");
    expect(stdout).toContain("`docs guides/recover#a-cluster-was-deleted`");
    expect(stdout).toContain("\n  pulumi cancel ");
    const commands = stdout.replaceAll(/^ {2,}.*/gm, "").replaceAll(/`[^`]*`/g, "");
    for (const line of commands.split("\n")) expect(line.length).toBeLessThanOrEqual(70);
    expect(stdout).not.toMatch(/^#|\]\(|^ *\||```|\*\*/m);
  });

  test("prints a section up to the next heading of its depth, also if a shell's comment looks like one", async () => {
    const section = await printed(["docs", "recover#a-deployment-was-interrupted"]);
    const page = await printed(["docs", "recover"]);
    expect(page).toContain(section);
    expect(section).toMatch(/^## A deployment was interrupted\n/);
    expect(section).toContain("\n### Only the provider process was killed\n");
    expect(section.match(/^## .*$/gm)).toHaveLength(1);
    expect(section.match(/^ *```/gm)?.length).toBeGreaterThan(2);
  });

  test.each([
    ["recovr", 'There is no page "recovr". Did you mean recover? `buildpipeline docs` lists all pages.'],
    ["../README", 'There is no page "../README".'],
    [
      "emulator",
      "Several pages have this name: guides/emulator.md, reference/emulator.md. Give the folder as well.",
    ],
    ["recover#no", 'guides/recover.md has no section "no". It has recover, a-deployment-was-interrupted,'],
  ])("refuses %s, and says what there is", async (name, why) => {
    const { code, stdout, stderr } = await buildpipeline(["docs", name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`buildpipeline: ${why}`);
  });

  test.runIf(process.platform === "linux")(
    "opens a page in the desktop's program, and prints nothing",
    async () => {
      const directory = testFolder();
      writeCommand(directory, "xdg-open", `printf %s "$1" > '${directory}/opened'`);
      expect(await printed(["docs", "recover", "--open"], { env: { PATH: directory } })).toBe("");
      expect(readFileSync(join(directory, "opened"), "utf8")).toBe(join(CHECKOUT, "docs/guides/recover.md"));
    },
  );

  test.runIf(process.platform === "linux")("names the page's file if nothing here can open it", async () => {
    const directory = testFolder();
    const why = `buildpipeline: xdg-open could not open the page, which is ${join(CHECKOUT, "docs/guides/recover.md")}.`;
    const open = () => buildpipeline(["docs", "recover", "--open"], { env: { PATH: directory } });
    expect(await open()).toEqual({ code: 2, stdout: "", stderr: `${why}\n` });
    writeCommand(directory, "xdg-open", "exit 3");
    expect(await open()).toEqual({ code: 2, stdout: "", stderr: `${why}\n` });
  });
});
