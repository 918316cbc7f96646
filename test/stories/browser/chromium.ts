import { accessSync, constants, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const executablePath = process.env.CHROMIUM_PATH ?? onPath();

/** Whether this machine has a Chromium. Without one, nothing here can be claimed. */
export const hasChromium = executablePath !== undefined;
if (!hasChromium) {
  console.warn(
    `SKIPPED: every test in a browser. No Chromium is on PATH (looked for ${NAMES.join(", ")}). Install one, for ` +
      "example with `apt-get install chromium`, or set CHROMIUM_PATH.",
  );
}

/** Where a person can look at what the browser showed. */
export const PICTURES = join(__dirname, "..", "..", "..", ".buildpipeline", "browser");

/** Starts the Chromium of this machine for the tests of a file, and returns what opens a page in it. */
export function browserOfAll(): Browser["newPage"] {
  let browser: Browser;
  beforeAll(async () => {
    if (!hasChromium) return;
    // The sandbox refuses to run as root, which containers usually are; the page is our own.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ ...(executablePath !== undefined && { executablePath }), args });
    mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => browser?.close());
  return (settings) => browser.newPage(settings);
}

function onPath(): string | undefined {
  const directories = (process.env.PATH ?? "").split(delimiter);
  return directories.flatMap((directory) => NAMES.map((name) => join(directory, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns how many pixels the page is wider than its window. Runs inside the browser, so it stands by itself. */
export function widthBeyond(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}
