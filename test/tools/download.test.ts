import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Problem } from "../../tools/problem.mjs";
import { download, NotDownloadable } from "../../tools/pulumi-cli/download.mjs";
import { PROVIDED_VERSION, platform } from "../../tools/pulumi-cli/release.mjs";

const ARCHIVE = `/pulumi-v${PROVIDED_VERSION}-${platform}.tar.gz`;
const CHECKSUMS = `/pulumi-${PROVIDED_VERSION}-checksums.txt`;

/** What the download address has, by path. */
let published: Map<string, Buffer>;
/** When set, answers end after that many bytes. */
let cutAfter: number | undefined;
let directory: string;
let server: Server;
let address: string;

beforeEach(async () => {
  published = new Map();
  cutAfter = undefined;
  directory = mkdtempSync(join(tmpdir(), "download-"));
  server = createServer((request, response) => {
    const content = published.get(request.url ?? "");
    if (content === undefined) {
      response.writeHead(403).end();
      return;
    }
    response.writeHead(200, { "content-length": content.length });
    if (cutAfter === undefined) response.end(content);
    else response.write(content.subarray(0, cutAfter), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A TCP server's address is never a text.
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

/** An archive as the official one: everything in a folder `pulumi`, more of it than is needed. */
function archive(): Buffer {
  const source = mkdtempSync(join(tmpdir(), "archive-"));
  mkdirSync(join(source, "pulumi"));
  for (const name of [
    "pulumi",
    "pulumi-language-nodejs",
    "pulumi-resource-pulumi-nodejs",
    "pulumi-language-go",
  ]) {
    writeFileSync(join(source, "pulumi", name), `this is ${name}`, { mode: 0o755 });
  }
  execFileSync("tar", ["-czf", join(source, "archive.tar.gz"), "-C", source, "pulumi"]);
  const content = readFileSync(join(source, "archive.tar.gz"));
  rmSync(source, { recursive: true });
  return content;
}

function checksums(content: Buffer): Buffer {
  const own = `${createHash("sha256").update(content).digest("hex")}  ${ARCHIVE.slice(1)}`;
  return Buffer.from(`${"0".repeat(64)}  pulumi-v${PROVIDED_VERSION}-other-x64.tar.gz\n${own}\n`);
}

function target(): string {
  const empty = join(directory, "target");
  mkdirSync(empty);
  return empty;
}

describe("the official download", () => {
  it("unpacks the CLI and its companions, and nothing else", async () => {
    const content = archive();
    published.set(ARCHIVE, content).set(CHECKSUMS, checksums(content));
    const into = target();
    await download(into, () => {}, address);
    expect(readdirSync(into)).toEqual(["bin"]);
    expect(readdirSync(join(into, "bin")).sort()).toEqual([
      "pulumi",
      "pulumi-language-nodejs",
      "pulumi-resource-pulumi-nodejs",
    ]);
    expect(execFileSync("test", ["-x", join(into, "bin", "pulumi")]).length).toBe(0);
  });

  it("does without a checksum where none is published", async () => {
    published.set(ARCHIVE, archive());
    const into = target();
    await download(into, () => {}, address);
    expect(readFileSync(join(into, "bin", "pulumi"), "utf8")).toBe("this is pulumi");
  });

  it("refuses an archive that differs from the published checksum", async () => {
    published.set(ARCHIVE, archive()).set(CHECKSUMS, checksums(Buffer.from("another archive")));
    const into = target();
    await expect(download(into, () => {}, address)).rejects.toThrow(Problem);
    expect(readdirSync(into)).not.toContain("bin");
  });

  it("leaves the way to a build open when there is no archive for this platform", async () => {
    await expect(download(target(), () => {}, address)).rejects.toThrow(NotDownloadable);
  });

  it("leaves the way to a build open when the connection breaks", async () => {
    published.set(ARCHIVE, archive());
    cutAfter = 20;
    await expect(download(target(), () => {}, address)).rejects.toThrow(NotDownloadable);
  });

  it("leaves the way to a build open when the address cannot be reached", async () => {
    await expect(download(target(), () => {}, "http://127.0.0.1:1")).rejects.toThrow(NotDownloadable);
  });
});
