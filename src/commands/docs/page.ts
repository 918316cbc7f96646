import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { nearestName } from "../../shared/messages/nearest-name.js";
import { PACKAGE } from "../../shared/process/package-files.js";

const FOLDER = join(PACKAGE, "docs");

interface Page {
  readonly file: string;
  /** Below the folder of the documents: `guides/recover.md`. */
  readonly path: string;
  /** Without the comments for tests. */
  readonly text: string;
}

/** Finds a page by its name, such as `recover`, `guides/recover` or `recover#an-incident`, which is a section of it. */
export function pageNamed(name: string): Page {
  const [page = "", section] = name.replace(/\.md(?=#|$)/, "").split("#");
  const pages = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".md"));
  const found = pages.filter((path) => `/${path}`.endsWith(`/${page}.md`));
  const [path] = found;
  if (path === undefined) {
    const names = pages.flatMap((one) => [one.slice(0, -".md".length), basename(one, ".md")]);
    const nearest = nearestName(page, [...new Set(names)]);
    throw new Error(
      `There is no page "${page}".${nearest === undefined ? "" : ` Did you mean ${nearest}?`} \`buildpipeline docs\` lists all pages.`,
    );
  }
  if (found.length > 1)
    throw new Error(`Several pages have this name: ${found.join(", ")}. Give the folder as well.`);
  const file = join(FOLDER, path);
  const text = readFileSync(file, "utf8").replaceAll(/^ *<!--.*?-->\n/gms, "");
  return { file, path, text: section === undefined ? text : sectionOf(text, section, path) };
}

function sectionOf(text: string, section: string, path: string): string {
  const lines = text.split("\n");
  // A comment in a shell's block looks like a heading.
  const outside = text
    .replaceAll(/^ *```.*?^ *```$/gms, (block) => block.replaceAll(/^#/gm, "."))
    .split("\n");
  const headings = outside.flatMap((line, index) => {
    const [, marks = "", title = ""] = /^(#+) (.*)$/.exec(line) ?? [];
    return marks === "" ? [] : [{ index, depth: marks.length, anchor: anchorOf(title) }];
  });
  const start = headings.find(({ anchor }) => anchor === section);
  if (start === undefined) {
    const anchors = headings.map(({ anchor }) => anchor).join(", ");
    throw new Error(`${path} has no section "${section}". It has ${anchors}.`);
  }
  const end = headings.find(({ index, depth }) => index > start.index && depth <= start.depth);
  return `${lines.slice(start.index, end?.index).join("\n").trimEnd()}\n`;
}

/** Returns the anchor that GitHub gives a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Opens a page in the program that this machine has for Markdown. */
export function openPage({ file }: Page): void {
  const { platform } = process;
  const opener = platform === "darwin" ? "open" : platform === "win32" ? "explorer" : "xdg-open";
  const { error, status } = spawnSync(opener, [file], { stdio: "ignore" });
  // The explorer ends with 1 whatever it did.
  const failed = error !== undefined || (status !== 0 && opener !== "explorer");
  if (failed) throw new Error(`${opener} could not open the page, which is ${file}.`);
}
