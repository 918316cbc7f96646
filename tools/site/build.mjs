// Builds the documents as a static site with VitePress, into tools/site/.vitepress/dist. Run by `npm run docs`.
//
// The pages are the files of docs/, which GitHub shows as well. They are copied, because VitePress has to find its
// packages from where they are, and because links to files outside of docs/ lead to the repository.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { checkout } from "../dev/checkout.mjs";
import { mustRun, runMain, say, step } from "../dev/command.mjs";
import { llmsText, pageOf, redirectPages, renamed, repositoryUrl, withTabs } from "./pages.mjs";

const folder = join(checkout, "tools", "site");
const pages = join(folder, "pages");
/** Removed pages, and where their content is now. */
const redirects = join(folder, "redirects.json");

await runMain(async () => {
  rmSync(pages, { recursive: true, force: true });
  const documents = readdirSync(join(checkout, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => posix.join("docs", file));
  const files = [...new Set([...documents, ...Object.keys(renamed)])];
  for (const file of files) write(file);
  // Once for pictures in pages, which are bundled, and once for links to pictures.
  for (const target of [join("docs", "pictures"), join("public", "pictures")]) {
    cpSync(join(checkout, "docs", "pictures"), join(pages, target), {
      recursive: true,
    });
  }
  cpSync(join(folder, "index.md"), join(pages, "index.md"));
  cpSync(join(folder, "favicon.svg"), join(pages, "public", "favicon.svg"));
  const index = readFileSync(join(checkout, "docs", "README.md"), "utf8");
  writeFileSync(
    join(pages, "public", "llms.txt"),
    llmsText(index, (file) => `/${pageOf(file)}`),
  );
  const moved = JSON.parse(readFileSync(redirects, "utf8"));
  const all = files.map((file) => (pageOf(file) ?? "").slice(0, -".md".length));
  for (const { file, text } of redirectPages(moved, new Set(all))) {
    mkdirSync(dirname(join(pages, "public", file)), { recursive: true });
    writeFileSync(join(pages, "public", file), text);
  }
  await step("Building the site", () =>
    mustRun(
      "Building it",
      process.execPath,
      [join("node_modules", "vitepress", "bin", "vitepress.js"), "build", "."],
      {
        cwd: folder,
      },
    ),
  );
  say(`The site is in ${join("tools", "site", ".vitepress", "dist")}.`);
});

/**
 * Copies a document with links that lead somewhere on the site: as a page, and as Markdown for programs. The page keeps
 * its path in the checkout, which the link for editing needs.
 *
 * @param {string} file by its path in the checkout
 */
function write(file) {
  const page = pageOf(file) ?? file;
  const text = readFileSync(join(checkout, file), "utf8");
  const linked = text.replaceAll(/\]\((?!https?:|#)([^)\s#]+)(#[^)\s]*)?\)/g, (_, target, anchor = "") => {
    return `](${leadsTo(page, posix.join(posix.dirname(file), target))}${anchor})`;
  });
  for (const [target, written] of [
    [file, withTabs(linked)],
    [join("public", page), linked],
  ]) {
    mkdirSync(dirname(join(pages, target ?? "")), { recursive: true });
    writeFileSync(join(pages, target ?? ""), written ?? "");
  }
}

/** Where a link to a file of the checkout leads from a page. @param {string} page @param {string} file */
function leadsTo(page, file) {
  const target = file.startsWith("docs/pictures/") ? file.slice("docs/".length) : pageOf(file);
  if (target === undefined) return `${repositoryUrl}/blob/main/${file}`;
  const path = posix.relative(posix.dirname(page), target);
  return path.startsWith(".") ? path : `./${path}`;
}
