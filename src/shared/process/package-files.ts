import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** This package's own directory; Node has resolved links in it. */
export const PACKAGE = resolve(__dirname, "..", "..", "..");

export interface Manifest {
  readonly version: string;
  /** Set by the first release. */
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

/** Says where a page of the documents is, such as `guides/drift`: on the web once a release has an address. */
export function placeOfPage(page: string): { readonly url: string } | { readonly command: string } {
  const { homepage, version } = manifestIn(PACKAGE);
  if (homepage === undefined)
    return { command: `npx pulumi-buildpipeline docs ${page.replace(/^.*\//, "")}` };
  const [path, section] = page.split("#");
  const url = `${homepage.replace(/#.*$/, "")}/blob/v${version}/docs/${path}.md`;
  return { url: section === undefined ? url : `${url}#${section}` };
}

export function packageSchema(): string {
  return readFileSync(join(PACKAGE, "plugin", "schema.json"), "utf8");
}
