import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "../../tools/dev/command.mjs";
import { download, NotDownloadable } from "../../tools/dev/pulumi-cli/download.mjs";
import { PROVIDED_VERSION, platform } from "../../tools/dev/pulumi-cli/release.mjs";
import { testFolder, testServer } from "../support/checkout.js";

const ARCHIVE = `/pulumi-v${PROVIDED_VERSION}-${platform}.tar.gz`;
const NEEDED = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/** What the download address has, by path. */
let published: Map<string, Buffer>;
/** What was asked of the download address, as it stands in the requests. */
let asked: string[];
/** When set, answers end after that many bytes. */
let cutAfter: number | undefined;
let address: string;

beforeEach(async () => {
  published = new Map();
  asked = [];
  cutAfter = undefined;
  address = await testServer((request, response) => {
    asked.push(request.url ?? "");
    // A proxy is asked for the whole address.
    const content = published.get(new URL(request.url ?? "", address).pathname);
    if (content === undefined) {
      response.writeHead(403).end();
      return;
    }
    response.writeHead(200, { "content-length": content.length });
    if (cutAfter === undefined) response.end(content);
    else response.write(content.subarray(0, cutAfter), () => response.destroy());
  });
});

afterEach(() => vi.unstubAllEnvs());

/** An archive as the official one: everything in a folder `pulumi`, more of it than is needed. */
function archive(): Buffer {
  const source = testFolder();
  mkdirSync(join(source, "pulumi"));
  for (const name of [...NEEDED, "pulumi-language-go"])
    writeFileSync(join(source, "pulumi", name), `this is ${name}`, { mode: 0o755 });
  execFileSync("tar", ["-czf", join(source, "archive.tar.gz"), "-C", source, "pulumi"]);
  return readFileSync(join(source, "archive.tar.gz"));
}

function sha256(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Downloads what is published, with the checksum of `expected` pinned. */
function downloadInto(
  directory: string,
  expected: Buffer | undefined = published.get(ARCHIVE),
): Promise<void> {
  const pinned = expected === undefined ? "0".repeat(64) : sha256(expected);
  return download(directory, { directory: address, sha256: pinned });
}

describe("the official download", () => {
  it("unpacks the CLI and its companions, and nothing else", async () => {
    published.set(ARCHIVE, archive());
    const into = testFolder();
    await downloadInto(into);
    expect(readdirSync(into)).toEqual(["bin"]);
    expect(readdirSync(join(into, "bin")).sort()).toEqual(NEEDED);
    expect(execFileSync("test", ["-x", join(into, "bin", "pulumi")]).length).toBe(0);
  });

  it("keeps nothing of an archive that is not the pinned one", async () => {
    const content = archive();
    published.set(ARCHIVE, content);
    const into = testFolder();
    const downloading = downloadInto(into, Buffer.from("another archive"));
    await expect(downloading).rejects.toThrow(Problem);
    await expect(downloading).rejects.toThrow(sha256(content));
    expect(readdirSync(into)).toEqual([]);
  });

  it("asks for nothing on a platform without a pinned archive", async () => {
    const source = { directory: address, sha256: undefined };
    await expect(download(testFolder(), source)).rejects.toThrow(NotDownloadable);
    expect(asked).toEqual([]);
  });

  it("leaves the way to a build open when there is no archive for this platform", async () => {
    await expect(downloadInto(testFolder())).rejects.toThrow(NotDownloadable);
    await expect(downloadInto(testFolder())).rejects.toThrow("status 403");
  });

  it("leaves the way to a build open when the connection breaks, or there is none", async () => {
    published.set(ARCHIVE, archive());
    cutAfter = 20;
    await expect(downloadInto(testFolder())).rejects.toThrow(NotDownloadable);
    address = "http://127.0.0.1:1";
    await expect(downloadInto(testFolder())).rejects.toThrow(NotDownloadable);
  });
});

it("goes through the proxy that the environment names", async () => {
  const elsewhere = "http://download.example";
  published.set(ARCHIVE, archive());
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]) {
    vi.stubEnv(name, name === "HTTP_PROXY" ? address : undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
  address = elsewhere;
  const into = testFolder();
  await downloadInto(into);
  expect(readdirSync(into)).toEqual(["bin"]);
  expect(asked).toEqual([`${elsewhere}${ARCHIVE}`]);
});
