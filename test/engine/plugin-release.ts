import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { hostPlatform } from "../../tools/release/platforms.mjs";
import { pluginArchives } from "../../tools/release/plugin-archives.mjs";
import { CHECKOUT, serve, temporaryFolder, WITHIN_CHECKOUT } from "./ending.js";

/** The plugin's archive for this machine, on a server that stands in for the release's page. */
export interface PluginRelease {
  readonly archive: string;
  readonly url: string;
  /** Sets the variable that leads the CLI here, in front of a command. */
  readonly override: string;
  readonly requests: readonly string[];
}

/** The address that the examples name for downloads, and the schema once somebody owns it. */
const { repository } = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));
const DOWNLOAD_URL = `github://api.github.com${new URL(repository.url).pathname.replace(/\.git$/, "")}`;

/** Builds the archive as a release does, and serves it. */
export async function startPluginRelease(): Promise<PluginRelease> {
  const host = hostPlatform();
  if (host === undefined) throw new Error("The plugin isn't built for this platform.");
  const directory = temporaryFolder("release", WITHIN_CHECKOUT);
  const [built] = await pluginArchives(directory, [host]);
  if (built === undefined) throw new Error("No archive was built.");
  const requests: string[] = [];
  const url = await serve(({ url: path = "" }, response) => {
    requests.push(path);
    if (basename(path) === basename(built.file)) response.end(readFileSync(built.file));
    else response.writeHead(404).end();
  });
  const pattern = `^${DOWNLOAD_URL.replaceAll(".", "\\.")}`;
  return {
    archive: built.file,
    url,
    override: `PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES='${pattern}=${url}'`,
    requests,
  };
}
