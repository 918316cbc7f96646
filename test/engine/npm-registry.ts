import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const CHECKOUT = join(__dirname, "..", "..");

/** A registry that has this package in addition to everything that npm's own has. */
export interface NpmRegistry {
  readonly url: string;
  /** Paths of this package that npm asked for. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Packs the package as a release does. Returns the tarball's path. */
export function packPackage(directory: string): string {
  const args = ["pack", "--pack-destination", directory, "--silent", "--ignore-scripts"];
  return join(directory, execFileSync("npm", args, { cwd: CHECKOUT, encoding: "utf8" }).trim());
}

/** Serves a tarball of the package as if it had been published. */
export async function startNpmRegistry(tarball: string): Promise<NpmRegistry> {
  const upstream = execFileSync("npm", ["config", "get", "registry"], { cwd: CHECKOUT, encoding: "utf8" });
  const manifest = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
  const { name, version, ...described } = JSON.parse(manifest);
  const packed = readFileSync(tarball);
  const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
  const requests: string[] = [];
  let url = "";
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path !== `/${name}` && !path.startsWith(`/${name}/`)) {
      response.writeHead(307, { location: new URL(path.slice(1), upstream.trim()).href }).end();
      return;
    }
    requests.push(path);
    if (path.endsWith(".tgz")) {
      response.end(packed);
      return;
    }
    const dist = { tarball: `${url}/${name}/-/${name}-${version}.tgz`, integrity };
    const versions = { [version]: { name, version, ...described, dist } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
