import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import type { AxeResults } from "axe-core";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildpipeline, Scratch } from "../../support/command.js";
import { recorded } from "../../support/recording.js";
import { browserOfAll, hasChromium, PICTURES } from "./chromium.js";
import { furnishedEmulator } from "./organization.js";

const ROOT = join(__dirname, "..", "..", "..");
const SITE = join(ROOT, "tools", "site", ".vitepress", "dist");
const axe = readFileSync(createRequire(__filename).resolve("axe-core/axe.min.js"), "utf8");

const cleanups: (() => unknown)[] = [];
const newPage = browserOfAll();
const addresses: Record<string, string> = {};
beforeAll(async () => {
  if (!hasChromium) return;
  const emulator = await furnishedEmulator();
  const scratch = new Scratch();
  cleanups.push(
    () => emulator.close(),
    () => scratch.remove(),
  );
  const report = scratch.path("report.html");
  const args = [recorded("preview"), "--stack-export", recorded("stack-export"), "--html", "--out", report];
  await buildpipeline(["report", ...args]);
  const drift = scratch.path("drift.html");
  const night = join(ROOT, "test", "review", "report", "recorded", "dynamic");
  await buildpipeline(["report", join(night, "lost.json"), "--html", "--out", drift]);
  execFileSync(process.execPath, [join(ROOT, "tools", "site", "build.mjs")], { stdio: "pipe" });
  const site = await served(SITE);
  Object.assign(addresses, {
    report: `file://${report}`,
    "report of drift": `file://${drift}`,
    emulator: emulator.pageUrl,
    site: `${site}/`,
    "page of the site": `${site}/reference/cluster`,
  });
}, 180_000);
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
});

describe.runIf(hasChromium)("axe finds nothing", () => {
  describe.each(["report", "report of drift", "emulator", "site", "page of the site"])(
    "on the %s",
    (name) => {
      test.each([
        [360, "light"],
        [500, "dark"],
        [1280, "light"],
        [1280, "dark"],
      ] as const)("in %i pixels, %s", async (width, colorScheme) => {
        const page = await newPage({ colorScheme, viewport: { width, height: 900 } });
        await page.goto(addresses[name] ?? "");
        const picture = `${name.replaceAll(" ", "-")}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: join(PICTURES, picture), fullPage: true });
        const { violations } = await page.evaluate<AxeResults>(`${axe}; axe.run()`);
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 150))])).toEqual(
          [],
        );
        await page.close();
      });
    },
  );

  test("and everything that scrolls sideways can be scrolled with the keyboard", async () => {
    for (const name of ["report", "emulator"]) {
      const page = await newPage({ viewport: { width: 360, height: 800 } });
      await page.goto(addresses[name] ?? "");
      const unreachable = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("body *")]
          .filter(
            (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "auto",
          )
          .filter((one) => one.tabIndex < 0)
          .map((one) => one.outerHTML.slice(0, 100)),
      );
      expect(unreachable).toEqual([]);
      await page.close();
    }
  });
});

describe.runIf(hasChromium)("A person on the site", () => {
  test("comes from a removed page to where its content is now", async () => {
    const redirects = await import("../../../tools/site/redirects.json", { with: { type: "json" } });
    const page = await newPage();
    for (const [from, to] of Object.entries(redirects.default)) {
      await page.goto(`${addresses.site}${from}`);
      await page.waitForURL(`${addresses.site}${to}`);
    }
    await page.close();
  });

  test("reads an example in a language of choice", async () => {
    const page = await newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(addresses["page of the site"] ?? "");
    await page.locator(".vp-code-group label", { hasText: "Go" }).first().click();
    expect(await page.locator(".vp-code-group .language-go").first().isVisible()).toBe(true);
    await page.close();
  });
});

/** Serves a folder as a web host does that leaves out `.html`. */
async function served(folder: string): Promise<string> {
  const rewriteRequestPath = (path: string) =>
    path.endsWith("/") || extname(path) !== "" ? path : `${path}.html`;
  const site = new Hono().use(serveStatic({ root: folder, rewriteRequestPath }));
  const server = createAdaptorServer(site);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
