import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { hostPlatform } from "../../tools/release/platforms.mjs";
import { pluginArchives } from "../../tools/release/plugin-archives.mjs";

const CHECKOUT = join(__dirname, "..", "..");

/** The plugin's archive for this machine, on a server that stands in for the release's page. */
export interface PluginRelease {
  readonly archive: string;
  readonly url: string;
  /** Sets the variable that leads the CLI here, in front of a command. */
  readonly override: string;
  /** Paths that were asked for. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** The address that the examples name for downloads, and the schema once somebody owns it. */
const { pathname } = new URL(JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8")).homepage);
const DOWNLOAD_URL = `github://api.github.com${pathname}`;

/** Builds the archive as a release does, and serves it. */
export async function startPluginRelease(): Promise<PluginRelease> {
  const host = hostPlatform();
  if (host === undefined) throw new Error("The plugin isn't built for this platform.");
  const directory = mkdtempSync(join(CHECKOUT, ".buildpipeline", "release-"));
  const [built] = await pluginArchives(directory, [host]);
  if (built === undefined) throw new Error("No archive was built.");
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    if (basename(url) === basename(built.file)) response.end(readFileSync(built.file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const url = `http://127.0.0.1:${address.port}`;
  const pattern = `^${DOWNLOAD_URL.replaceAll(".", "\\.")}`;
  return {
    archive: built.file,
    url,
    override: `PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES='${pattern}=${url}'`,
    requests,
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
