// What becomes of the documents on the site, apart from their links.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../dev/checkout.mjs";

const { repository } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
/** The web address of the repository. */
export const repositoryUrl = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");

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
