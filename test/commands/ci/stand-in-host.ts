import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Sends whoever follows it to another address. */
export class Redirect {
  constructor(
    readonly status: number,
    readonly location: string,
  ) {}
}

/** Answers a request: a value with status 200, a status, a redirect, or `undefined` for an empty response. */
export type Answer = (request: Sent, query: URLSearchParams) => unknown;

/** A server in the place of GitHub's or GitLab's API, which a test answers for. */
export class StandInHost {
  readonly sent: Sent[] = [];
  readonly headers: Record<string, unknown>[] = [];
  readonly #server: Server;
  answer: Answer = () => 404;

  constructor() {
    this.#server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const url = new URL(request.url ?? "", this.url);
      const body = text === "" ? undefined : JSON.parse(text);
      const sent = { method: request.method ?? "", path: url.pathname, body };
      this.headers.push(request.headers);
      if (sent.method !== "GET") this.sent.push(sent);
      const answer = this.answer(sent, url.searchParams);
      if (answer instanceof Redirect)
        return void response.writeHead(answer.status, { location: answer.location }).end();
      response.writeHead(typeof answer === "number" ? answer : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(typeof answer === "number" ? { message: "refused" } : answer));
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // A TCP server's address is never a text.
  }
}
