import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPreview } from "../../../src/cli/pulumi/preview.js";
import { findingsOf } from "../../../src/review/findings/findings.js";
import { reportOf } from "../../../src/review/findings/report.js";
import { html } from "../../../src/review/forms/html.js";
import { planOf } from "../../../src/review/plan/plan.js";
import { recorded } from "../../support/recording.js";
import { browserOfAll, hasChromium, PICTURES, widthBeyond } from "./chromium.js";

const preview: { steps: object[] } = JSON.parse(readFileSync(recorded("preview"), "utf8"));
const page = (steps: readonly object[]) =>
  html(reportOf(findingsOf(planOf(readPreview({ ...preview, steps })))));

/** The recorded preview, and one so long that its tables are folded. */
const short = page(preview.steps);
const updated = preview.steps.filter((step) => JSON.stringify(step).includes("everything that ships"));
const long = page([
  ...preview.steps,
  ...Array.from({ length: 70 }, (_, copy) => {
    // Equal changes are one row.
    const others = JSON.stringify(updated).replaceAll("everything that ships", `copy ${copy}`);
    return JSON.parse(others.replace(/(buildpipeline:\w+::)/g, `$1copy-${copy}-`));
  }).flat(),
]);

const newPage = browserOfAll();

async function open(content: string, settings: Parameters<typeof newPage>[0] = {}) {
  const opened = await newPage(settings);
  await opened.setContent(content);
  return opened;
}

describe.runIf(hasChromium).each(["light", "dark"] as const)("A report's page, %s,", (colorScheme) => {
  test.each([360, 500, 800, 1280])("fits %i pixels", async (width) => {
    const opened = await open(short, { colorScheme, viewport: { width, height: 900 } });
    await opened.screenshot({
      path: join(PICTURES, `report-${colorScheme}-${width}.png`),
      fullPage: true,
    });
    expect(await opened.evaluate(widthBeyond)).toBe(0);
    // No name breaks by letters, and no cell is empty.
    const cells = await opened
      .locator("td")
      .evaluateAll((all) => all.map(({ clientWidth, textContent }) => [textContent, clientWidth] as const));
    for (const [name, wide] of cells)
      expect(wide, `the width of "${name}"`).toBeGreaterThanOrEqual(name ? 24 : 0);
    await opened.close();
  });
});

describe.runIf(hasChromium)("A person who reads a report's page", () => {
  test("sees the worst consequence first, in the title as well", async () => {
    const opened = await open(short);
    const headline = await opened.locator("h1").innerText();
    expect(headline).toMatch(/, and \d+ more dangers/);
    expect(await opened.title()).toBe(`${headline} (ci/production)`);
    await opened.close();
  });

  test("comes from each danger to its row, also in a folded table", async () => {
    const opened = await open(long);
    const link = opened.locator(".alert.danger a").first();
    const row = opened.locator(`tr${await link.getAttribute("href")}`);
    expect(await row.isVisible()).toBe(false);
    await link.click();
    await row.waitFor({ state: "visible" });
    expect(await row.innerText()).toMatch(/^− delete\s+cluster/);
    await opened.close();
  });

  test("finds every table on paper", async () => {
    const opened = await open(long);
    await opened.emulateMedia({ media: "print" });
    const rows = await opened
      .locator("tbody tr")
      .evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
    expect(rows.length).toBeGreaterThan(60);
    expect(Math.min(...rows)).toBeGreaterThan(10);
    await opened.close();
  });
});
