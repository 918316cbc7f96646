import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const folder = join(__dirname, "tls");
/** A certificate for `service.test`, which only this proxy resolves, and its path for NODE_EXTRA_CA_CERTS. */
export const CERTIFICATE = join(folder, "service.test.pem");
export const TLS = {
  cert: readFileSync(CERTIFICATE, "utf8"),
  key: readFileSync(join(folder, "service.test-key.pem"), "utf8"),
};

interface Behavior {
  /** The address of each service that the proxy is asked for. */
  readonly to: string;
  /** As `user:password`. Without it, the proxy responds with 407. */
  readonly credentials?: string;
  /** Refuses every request with this status, or closes the connection. */
  readonly refusal?: number | "close";
}

/** A real proxy on loopback that lives as long as the test. `seen` has what it was asked for. */
export async function startProxy({ to, credentials, refusal }: Behavior) {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const target = new URL(to);
  const refusalOf = ({ headers }: IncomingMessage) => {
    const expected = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
    return expected !== undefined && headers["proxy-authorization"] !== expected ? 407 : refusal;
  };
  const server = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    const status = refusalOf(incoming);
    if (typeof status === "number") return response.writeHead(status).end();
    const { method, headers, url = "" } = incoming;
    const { pathname, search } = new URL(url);
    const passed = request(
      { host: target.hostname, port: target.port, method, headers, path: `${pathname}${search}` },
      (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)),
    );
    return incoming.pipe(passed);
  });
  server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    socket.on("error", () => {});
    const status = refusalOf(incoming);
    if (status === "close") return void socket.destroy();
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    const upstream = connect(Number(target.port), target.hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
    upstream.on("close", () => socket.destroy());
  });
  server.on("connection", (socket) => sockets.add(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A TCP server's address is an object; only one on a pipe has a string.
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, seen, stop };
}
