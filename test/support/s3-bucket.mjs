// A bucket on a real S3-compatible server on loopback, for Pulumi's state: for tests, and for the benchmark of state.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { providedCommand } from "../../tools/dev/provided-commands.mjs";

/**
 * @typedef {object} Bucket
 * @property {(request: string) => "error" | "reset" | undefined} fault Decides how a request fails before it reaches the
 *   server, by its method and path (`PUT /state/.pulumi/…`). Default: no request does.
 * @property {number} delayMs Time that each request takes before it reaches the server. Default 0.
 * @property {Readonly<Record<string, string>>} environment Settings with which the Pulumi CLI finds the bucket.
 * @property {() => void} close
 */

/** The server's executable: on the PATH, or where the setup of `npm test -- long` puts it. */
export const s3Server =
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((directory) => join(directory, "versitygw"))
    .find((command) => existsSync(command)) ?? providedCommand("versitygw");

/** Starts a server with an empty bucket `state`. @param {string} command @returns {Promise<Bucket>} */
export async function startBucket(command) {
  const root = mkdtempSync(join(tmpdir(), "bucket-"));
  mkdirSync(join(root, "state"));
  const port = await freePort();
  const [id, secret] = ["test", "only-for-this-test"];
  const server = spawn(command, ["-q", "-p", `127.0.0.1:${port}`, "posix", root], {
    env: { ...process.env, ROOT_ACCESS_KEY_ID: id, ROOT_SECRET_ACCESS_KEY: secret },
    stdio: "ignore",
  });
  while (!(await fetch(`http://127.0.0.1:${port}`).then(Boolean, () => false))) {
    if (server.exitCode !== null) throw new Error(`${command} ended with ${server.exitCode}.`);
    await wait(20);
  }
  // Passes everything on, with the host name that the client signed.
  const front = createHttpServer(async (incoming, response) => {
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
    if (bucket.delayMs > 0) await wait(bucket.delayMs);
    const passed = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    incoming.pipe(passed);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  /** @type {Bucket} */
  const bucket = {
    fault: () => undefined,
    delayMs: 0,
    environment: {
      PULUMI_BACKEND_URL: `s3://state?endpoint=127.0.0.1:${portOf(front)}&disableSSL=true&s3ForcePathStyle=true`,
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

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

/** @param {import("node:net").Server} server */
function portOf(server) {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}
