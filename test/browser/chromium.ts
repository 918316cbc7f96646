import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** Starts the Chromium of this machine. @throws when there is none: then nothing here can be claimed. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? onPath();
  if (executablePath === undefined) {
    throw new Error(
      `No Chromium is on PATH (looked for ${NAMES.join(", ")}). Install one, for example with ` +
        "`apt-get install chromium`, or say where it is in CHROMIUM_PATH.",
    );
  }
  // The sandbox refuses to run as root, which containers usually are; the page is our own.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
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
