// What becomes of the documents on the site, apart from their links.

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { checkout } from "../dev/checkout.mjs";
import { isOwned as hasOwner } from "../release/placeholder.mjs";

const { name, description, repository } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
/** The web address of the repository. */
export const repositoryUrl = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
/** False as long as the address has the placeholder of an owner: links to it would lead nowhere. */
export const isOwned = hasOwner(repositoryUrl);

/** The pages of files that are not at the same place in docs/, by their path in the checkout. */
export const renamed = /** @type {Record<string, string>} */ ({
  "SECURITY.md": "security.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "AGENTS.md": "agents.md",
  "docs/README.md": "documents.md",
});

/** Returns the page of a Markdown file; undefined where the site has none. @param {string} file in the checkout */
export function pageOf(file) {
  return renamed[file] ?? (/^docs\/.*\.md$/.test(file) ? file.slice("docs/".length) : undefined);
}

/** Returns the links of a text to files, with their texts. @param {string} text */
function linksIn(text) {
  return [...text.matchAll(/\[([^\]]+)\]\(([^)\s#:]+\.md)[^)\s]*\)/g)].map(([, title = "", file = ""]) => ({
    title,
    file,
  }));
}

/**
 * Returns the site's menu, from the index of all documents: a group for each heading, and below an entry those that the
 * index indents.
 *
 * @typedef {{ text: string, link?: string, collapsed?: boolean, items?: Entry[] }} Entry
 * @param {string} index docs/README.md
 * @returns {Entry[]}
 */
export function menuOf(index) {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [text = "", ...lines] = section.split("\n");
      /** @type {Entry[]} */
      const items = [];
      for (const line of lines) {
        const links = linksIn(line).map(({ title, file }) => ({
          text: title,
          link: `/${pageOf(posix.join("docs", file))?.slice(0, -".md".length)}`,
        }));
        const above = items.at(-1);
        if (line.startsWith(" ") && above !== undefined) {
          above.items = [...(above.items ?? []), ...links];
          above.collapsed = true;
        } else items.push(...links);
      }
      return { text, items };
    });
}

/**
 * Returns the index as programs that answer questions read it (llms.txt).
 *
 * @param {string} index docs/README.md
 * @param {(file: string) => string} address of a file, by its path in the checkout
 */
export function llmsText(index, address) {
  const about = `# ${name}\n\n> ${description}\n`;
  const [, ...sections] = index.split(/^(?=## )/m);
  const text = sections.join("").replaceAll(/\n* *<!--.*?-->\n+/g, "\n");
  return `${about}\n${text}`.replaceAll(
    /\]\((?!https?:)([^)\s#]+)(#[^)\s]*)?\)/g,
    (_, file, anchor = "") => `](${address(posix.join("docs", file))}${anchor})`,
  );
}

/** @type {Readonly<Record<string, string>>} */
const LANGUAGES = { Python: "python", Go: "go", YAML: "yaml" };

/**
 * Puts an example in TypeScript and the same in other languages, each after a line such as "In Python:", into tabs.
 *
 * @param {string} text of a page
 */
export function withTabs(text) {
  const others = Object.entries(LANGUAGES).map(
    ([name, language]) => `In ${name}:\\n\\n\`\`\`${language}\\n(?:(?!\`\`\`)[^])*?\\n\`\`\`\\n`,
  );
  const example = new RegExp(
    `^\`\`\`ts\\n(?:(?!\`\`\`)[^])*?\\n\`\`\`\\n(?:\\n(?:${others.join("|")}))+`,
    "gm",
  );
  return text.replace(example, (all) => {
    const tabs = all
      .replace("```ts\n", "```ts [TypeScript]\n")
      .replaceAll(/\nIn (\w+):\n\n```(\w+)\n/g, (_, name, language) => `\n\`\`\`${language} [${name}]\n`);
    return `::: code-group\n\n${tabs}\n:::\n`;
  });
}

/**
 * Returns the pages that send a reader of a removed page to the page that has its content now.
 *
 * @param {Readonly<Record<string, string>>} redirects from the path of a removed page to that of another, which may have an
 *   anchor: `{ "faq": "reference/errors#symptoms" }`
 * @param {ReadonlySet<string>} pages paths of all pages
 * @returns {{ file: string, text: string }[]}
 */
export function redirectPages(redirects, pages) {
  return Object.entries(redirects).map(([from, to]) => {
    const [target = ""] = to.split("#");
    if (pages.has(from)) throw new Error(`redirects.json: "${from}" is a page, so it can't lead elsewhere.`);
    if (!pages.has(target))
      throw new Error(`redirects.json: "${from}" leads to "${target}", which is no page.`);
    const up = "../".repeat(from.split("/").length - 1) || "./";
    const address = up + to;
    return {
      file: `${from}.html`,
      text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moved</title>
<link rel="canonical" href="${address}">
<meta http-equiv="refresh" content="0; url=${address}">
</head>
<body><p>This page has moved to <a href="${address}">${target}</a>.</p></body>
</html>
`,
    };
  });
}
