import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.js";
import { browserOfAll, hasChromium, PICTURES, widthBeyond } from "./chromium.js";
import { furnishedEmulator } from "./organization.js";

let emulator: Emulator;
const newPage = browserOfAll();
beforeAll(async () => {
  emulator = await furnishedEmulator();
});
afterAll(() => emulator.close());

/** Opens a page and notes what goes wrong on it, and everything it asks for. */
async function open(settings: Parameters<typeof newPage>[0] = {}) {
  const page = await newPage(settings);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(emulator.pageUrl);
  return { page, complaints, requests };
}

describe.runIf(hasChromium).each([
  { colorScheme: "light", width: 1400 },
  { colorScheme: "light", width: 800 },
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 1400 },
  { colorScheme: "dark", width: 360 },
] as const)("The page in $colorScheme, $width pixels wide", ({ colorScheme, width }) => {
  test("fits, and needs nothing but itself", async () => {
    const { page, complaints, requests } = await open({ colorScheme, viewport: { width, height: 900 } });
    await page.screenshot({ path: join(PICTURES, `${colorScheme}-${width}.png`), fullPage: true });
    expect(complaints).toEqual([]);
    expect(requests).toEqual([emulator.pageUrl]);
    expect(await page.evaluate(widthBeyond)).toBe(0);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(21, 24, 28)");
    await page.close();
  });
});

describe.runIf(hasChromium)("A person who opens the page", () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await open());
  });
  afterAll(() => page?.close());

  const section = (id: string) => page.locator(`section[aria-labelledby="${id}"]`);

  test("sees clusters with their queues: which is the default, which is paused, by whom and why", async () => {
    const [, fast, nightly] = await page.locator(".card").first().locator("tr").allInnerTexts();
    expect(fast).toMatch(/^fast default\t[0-9a-f-]{36}\tSixteen cores\t/);
    expect(nightly).toMatch(
      /^nightly\t[0-9a-f-]{36}\tRuns after hours\tpaused Disk full on <builder-7>, back by noon by Ada Archer, /,
    );
  });

  test("sees a line a row, whole ids one below the other, and people by name", async () => {
    expect(await section("teams").innerText()).toContain("Ada Archer (maintainer)");
    const rows = page.locator(":is(#pipelines, #teams, #members, #agents) ~ .scroll tbody tr");
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(1.5 * Math.min(...heights));
    const ids = await page.locator("#clusters ~ .card:first-of-type th:nth-child(2)").all();
    const places = await Promise.all(ids.map(async (one) => (await one.boundingBox())?.x));
    expect(places.length).toBeGreaterThan(1);
    expect(new Set(places).size).toBe(1);
    for (const { id } of emulator.organizationData.queues.list())
      expect(await page.getByText(id, { exact: true }).first().isVisible()).toBe(true);
  });

  test("sees tokens without their secrets", async () => {
    const text = await page.content();
    expect(await section("clusters").innerText()).toContain("Machines of the cellar");
    const { agentTokens, accessTokens, suites } = emulator.organizationData;
    const secrets = [...agentTokens.list(), ...accessTokens.list()].map(({ token }) => token);
    for (const secret of [...secrets, ...suites.list().map(({ api_token }) => api_token)]) {
      expect(text).not.toContain(secret);
    }
  });

  test.each([
    ["templates", "Release", "Ship it?"],
    ["teams", "Platform", "Keeps builds fast"],
    ["members", "Ada Archer", "ben@acme.example"],
    ["suites", "Storefront tests", "failed"],
    ["agents", "builder-7", "connected"],
    ["builds", "storefront #5", "Speed up the search"],
    ["requests", "queues.pauseDispatch", "404"],
  ])("comes to %s by the link at the top", async (id, ...expected) => {
    await page.locator(`nav a[href="#${id}"]`).click();
    expect(new URL(page.url()).hash).toBe(`#${id}`);
    const heading = await page.locator(`h2#${id}`).boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    expect(heading?.y).toBeGreaterThanOrEqual(0);
    expect(heading?.y).toBeLessThan(height);
    for (const text of expected) expect(await section(id).innerText()).toContain(text);
  });

  test("sees emoji as characters", async () => {
    expect(await page.locator(".card h3").first().innerText()).toBe("🐧 Linux");
  });

  test("sees failed requests first and equal ones once, and new ones after a reload", async () => {
    const rows = () => section("requests").locator("tbody tr").allInnerTexts();
    expect((await rows())[0]).toContain("404");
    const address = `${emulator.url}/v2/organizations/acme/teams`;
    const headers = { authorization: `Bearer ${emulator.accessToken}` };
    for (let index = 0; index < 3; index++) await fetch(address, { headers });
    await page.getByRole("link", { name: "Reload" }).click();
    expect((await rows()).filter((row) => /GET .*teams$/.test(row))).toEqual([
      expect.stringMatching(/200\t3\tteams.list/),
    ]);
  });

  test("is not taken over by what others wrote", async () => {
    expect(await page.title()).toBe("Acme – emulator");
    expect(await page.locator("script").count()).toBe(0);
    expect(await section("clusters").innerText()).toContain(`<script>document.title = "taken over"</script>`);
  });

  test("finds a queue where its web address leads", async () => {
    const [queue] = emulator.organizationData.queues.list();
    // The browser knows the key from the cookie of its first visit.
    await page.goto(`${emulator.url}/organizations/acme/clusters/${queue?.cluster_id}/queues/${queue?.id}`);
    const target = page.locator("tr:target");
    expect(await target.innerText()).toContain("fast");
    expect(await target.evaluate((row) => getComputedStyle(row).outlineStyle)).toBe("solid");
  });

  test("comes to the interface description", async () => {
    await page.goto(emulator.pageUrl);
    await page.getByRole("link", { name: "openapi.json" }).click();
    expect(page.url()).toBe(`${emulator.url}/openapi.json`);
    expect(await page.locator("body").innerText()).toContain('"openapi": "3.1.0"');
  });
});
