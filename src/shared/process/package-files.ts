import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** This package's own directory; Node has resolved links in it. */
export const PACKAGE = resolve(__dirname, "..", "..", "..");

export interface Manifest {
  readonly version: string;
  readonly homepage?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Returns the version of this package, which is the plugin's as well. */
export function packageVersion(): string {
  return manifestIn(PACKAGE).version;
}

/** Returns the address of a page of the documents: `guides/drift`. */
export function pageUrl(page: string): string {
  const { homepage = "" } = manifestIn(PACKAGE);
  return `${homepage.replace(/#.*$/, "")}/blob/main/docs/${page}.md`;
}

export function packageSchema(): string {
  return readFileSync(join(PACKAGE, "plugin", "schema.json"), "utf8");
}
