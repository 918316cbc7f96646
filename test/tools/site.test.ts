import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isOwned, llmsText, menuOf, redirectPages, withTabs } from "../../tools/site/pages.mjs";
import { CHECKOUT, read, readJson } from "../support/checkout.js";

test("The index names every document", () => {
  const indexed = new Set(
    [...llmsText(read("docs/README.md"), (file) => file).matchAll(/\]\(([^)#]+)/g)].map(([, file]) => file),
  );
  const documents = globSync("docs/{start,guides,explain,reference,internals}/*.md", { cwd: CHECKOUT });
  expect(documents.filter((file) => !indexed.has(file))).toEqual([]);
});

test("The site links to no repository whose owner is a placeholder", () => {
  expect(isOwned).toBe(!readJson("package.json").repository.url.includes("your-organization"));
});

describe("The site", () => {
  test("sends readers of removed pages to where their content is now", () => {
    const redirects = { faq: "reference/errors#symptoms", "internals/faults": "internals/tests" };
    const pages = redirectPages(redirects, new Set(["reference/errors", "internals/tests"]));
    expect(pages.map(({ file, text }) => [file, /url=([^"]+)"/.exec(text)?.[1]])).toEqual([
      ["faq.html", "./reference/errors#symptoms"],
      ["internals/faults.html", "../internals/tests"],
    ]);
  });

  test("refuses a redirect of a page that is there, and one that leads nowhere", () => {
    expect(() => redirectPages({ faq: "errors" }, new Set(["faq", "errors"]))).toThrow(/"faq" is a page/);
    expect(() => redirectPages({ faq: "gone#here" }, new Set(["errors"]))).toThrow(
      /"gone", which is no page/,
    );
  });

  test("has a menu from the index, which indents entries below others", () => {
    const index =
      "# Documents\n\n## Reference\n\n- [Resources](reference/resources.md): all.\n  - [Queue](reference/queue.md)\n" +
      "- [Security](../SECURITY.md)\n\n## Guides\n\n| import | [Import](guides/importing.md#now), soon |\n";
    expect(menuOf(index)).toEqual([
      {
        text: "Reference",
        items: [
          {
            text: "Resources",
            link: "/reference/resources",
            collapsed: true,
            items: [{ text: "Queue", link: "/reference/queue" }],
          },
          { text: "Security", link: "/security" },
        ],
      },
      { text: "Guides", items: [{ text: "Import", link: "/guides/importing" }] },
    ]);
    const text = llmsText(index, (file) => `/${file}`);
    expect(text).toMatch(/^# pulumi-buildpipeline\n\n> .+\n\n## Reference\n/);
    expect(text).toContain("[Import](/docs/guides/importing.md#now)");
    expect(text).toContain("[Security](/SECURITY.md)");
  });

  test("shows one example in several languages as tabs, and nothing else", () => {
    const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;
    const example = `${fence("ts", "a()")}\nIn Python:\n\n${fence("python", "a")}\nIn YAML:\n\n${fence("yaml", "a: 1")}`;
    expect(withTabs(`Before\n\n${example}\nAfter\n`)).toBe(
      "Before\n\n::: code-group\n\n```ts [TypeScript]\na()\n```\n\n```python [Python]\na\n```\n\n```yaml [YAML]\na: 1\n```\n\n:::\n\nAfter\n",
    );
    const alone = `${fence("ts", "a()")}\nThen run:\n\n${fence("sh", "npm start")}`;
    expect(withTabs(alone)).toBe(alone);
  });
});
