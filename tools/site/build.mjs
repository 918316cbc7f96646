// Builds the documents as a static site with VitePress, into tools/site/.vitepress/dist. Run by `npm run docs`.
//
// The pages are the files of docs/, which GitHub shows as well. They are copied, because VitePress has to find its
// packages from where they are, and because links to files outside of docs/ lead to the repository.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { checkout } from "../dev/checkout.mjs";
import { mustRun, runMain, say, step } from "../dev/command.mjs";
import { redirectPages, repositoryUrl, withTabs } from "./pages.mjs";

const folder = join(checkout, "tools", "site");
const pages = join(folder, "pages");
/** Removed pages, and where their content is now. */
const redirects = join(folder, "redirects.json");

/** Files outside of docs/ that are pages as well, by their path in the checkout. */
const ALSO = /** @type {Record<string, string>} */ ({
  "SECURITY.md": "security.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
});

await runMain(async () => {
  rmSync(pages, { recursive: true, force: true });
  const files = readdirSync(join(checkout, "docs"), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((each) => each.endsWith(".md"))) {
    write(file === "README.md" ? "documents.md" : file, join("docs", file));
  }
  for (const [source, target] of Object.entries(ALSO)) write(target, source);
  // Once for pictures in pages, which are bundled, and once for links to pictures.
  for (const target of ["pictures", join("public", "pictures")]) {
    cpSync(join(checkout, "docs", "pictures"), join(pages, target), {
      recursive: true,
    });
  }
  cpSync(join(folder, "index.md"), join(pages, "index.md"));
  cpSync(join(folder, "favicon.svg"), join(pages, "public", "favicon.svg"));
  const all = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md"),
  );
  const moved = JSON.parse(readFileSync(redirects, "utf8"));
  for (const { file, text } of redirectPages(moved, new Set(all.map((page) => page.slice(0, -3))))) {
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

/** Copies a document to a page, with links that lead somewhere on the site. @param {string} page @param {string} source */
function write(page, source) {
  const target = join(pages, page);
  mkdirSync(dirname(target), { recursive: true });
  const text = readFileSync(join(checkout, source), "utf8");
  writeFileSync(
    target,
    withTabs(text).replaceAll(/\]\((?!https?:|#)([^)\s#]+)(#[^)\s]*)?\)/g, (_, file, anchor = "") => {
      return `](${leadsTo(page, posix.join(posix.dirname(source), file))}${anchor})`;
    }),
  );
}

/** Where a link to a file of the checkout leads from a page. @param {string} page @param {string} file */
function leadsTo(page, file) {
  if (file in ALSO) return posix.relative(posix.dirname(page), ALSO[file] ?? "");
  if (file === "docs/README.md") return posix.relative(posix.dirname(page), "documents.md");
  if (/^docs\/(?:.*\.md$|pictures\/)/.test(file)) {
    const path = posix.relative(posix.dirname(page), file.slice("docs/".length));
    return path.startsWith(".") ? path : `./${path}`;
  }
  return `${repositoryUrl}/blob/main/${file}`;
}
