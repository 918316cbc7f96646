import { describe, expect, test } from "vitest";
import { redirectPages, withTabs } from "../../tools/site/pages.mjs";

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
