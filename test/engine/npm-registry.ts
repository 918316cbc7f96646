import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { json } from "node:stream/consumers";
import * as z from "zod";
import { CHECKOUT, serve } from "./ending.js";

/** A registry that has this package in addition to everything that npm's own has. */
export interface NpmRegistry {
  readonly url: string;
  /** Paths of this package that npm asked for. */
  readonly requests: readonly string[];
}

export function packPackage(directory: string): string {
  const args = ["pack", "--pack-destination", directory, "--silent", "--ignore-scripts"];
  return join(directory, execFileSync("npm", args, { cwd: CHECKOUT, encoding: "utf8" }).trim());
}

/** What `npm publish` sends, as far as it is read here. */
const publication = z.object({
  _attachments: z.record(z.string(), z.object({ data: z.string() })),
});

/** Serves a package that somebody publishes, or a tarball as if it had been published. */
export async function startNpmRegistry(tarball?: string): Promise<NpmRegistry> {
  const upstream = execFileSync("npm", ["config", "get", "registry"], { cwd: CHECKOUT, encoding: "utf8" });
  let served = tarball === undefined ? undefined : release(readFileSync(tarball));
  const requests: string[] = [];
  const url = await serve(async (request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    if (request.method === "PUT") {
      const { _attachments: attachments } = publication.parse(await json(request));
      served = release(Buffer.from(Object.values(attachments)[0]?.data ?? "", "base64"));
      response.writeHead(201, { "content-type": "application/json" }).end("{}");
      return;
    }
    if (served === undefined || (path !== `/${served.name}` && !path.startsWith(`/${served.name}/`))) {
      response.writeHead(307, { location: new URL(path.slice(1), upstream.trim()).href }).end();
      return;
    }
    const { name, version, described, packed } = served;
    requests.push(path);
    if (path.endsWith(".tgz")) {
      response.end(packed);
      return;
    }
    const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
    const dist = { tarball: `${url}/${name}/-/${basename(name)}-${version}.tgz`, integrity };
    const versions = { [version]: { name, version, ...described, dist } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  return { url, requests };
}

function release(packed: Buffer) {
  const options = { input: packed, encoding: "utf8" } as const;
  const manifest = execFileSync("tar", ["-xzO", "package/package.json"], options);
  const { name, version, ...described } = z
    .looseObject({ name: z.string(), version: z.string() })
    .parse(JSON.parse(manifest));
  return { name, version, described, packed };
}
