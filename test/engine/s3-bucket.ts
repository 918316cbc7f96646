import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { vi } from "vitest";
import { providedCommand } from "../../tools/provided-commands.mjs";

/** A bucket on a real S3-compatible server on loopback, for Pulumi's state. */
export interface Bucket {
  /**
   * Decides how a request fails before it reaches the server. Default: no request does.
   *
   * @param request Method and path, as in `PUT /state/.pulumi/…`.
   */
  fault: (request: string) => "error" | "reset" | undefined;
  /** Settings with which the Pulumi CLI finds the bucket. */
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

/** The server's executable: on the PATH, or where the setup of `npm run test:long` puts it. */
export const s3Server =
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((directory) => join(directory, "versitygw"))
    .find((command) => existsSync(command)) ?? providedCommand("versitygw");

/** Starts a server with an empty bucket `state`. */
export async function startBucket(command: string): Promise<Bucket> {
  const root = mkdtempSync(join(tmpdir(), "bucket-"));
  mkdirSync(join(root, "state"));
  const port = await freePort();
  const [id, secret] = ["test", "only-for-this-test"];
  const server = spawn(command, ["-q", "-p", `127.0.0.1:${port}`, "posix", root], {
    env: { ...process.env, ROOT_ACCESS_KEY_ID: id, ROOT_SECRET_ACCESS_KEY: secret },
    stdio: "ignore",
  });
  await vi.waitUntil(() => fetch(`http://127.0.0.1:${port}`).then(Boolean, () => false), {
    timeout: 60_000,
    interval: 50,
  });
  // Passes everything on, with the host name that the client signed.
  const front = createHttpServer((incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    const fault = bucket.fault(`${method} ${url}`);
    if (fault === "reset") {
      incoming.socket.resetAndDestroy();
      return;
    }
    if (fault === "error") {
      incoming.resume();
      response.writeHead(500).end();
      return;
    }
    const passed = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const { port: reached } = front.address() as AddressInfo;
  const bucket: Bucket = {
    fault: () => undefined,
    environment: {
      PULUMI_BACKEND_URL: `s3://state?endpoint=127.0.0.1:${reached}&disableSSL=true&s3ForcePathStyle=true`,
      AWS_ACCESS_KEY_ID: id,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_REGION: "us-east-1",
      AWS_EC2_METADATA_DISABLED: "true",
    },
    close() {
      server.kill();
      front.closeAllConnections();
      front.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return bucket;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
