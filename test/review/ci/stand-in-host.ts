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

/** What a repository contains: its one file, and the branches that exist or have an open pull request. */
interface Contents {
  readonly content: string;
  readonly branches?: () => readonly string[];
  readonly open?: () => readonly string[];
}

/** Answers as GitHub and as GitLab for the repository `acme/ci`. */
export function repositoryWith({ content, branches = () => [], open = () => [] }: Contents): Answer {
  return ({ method, path, body }) => {
    const sent = (name: string): unknown => Reflect.get(Object(body), name);
    if (path === "/repos/acme/ci") return { default_branch: "main" };
    if (path.endsWith("/git/ref/heads/main")) return { object: { sha: "main-sha" } };
    if (path.endsWith("/git/refs")) {
      const ref = sent("ref");
      return branches().includes(String(ref).replace("refs/heads/", "")) ? 422 : { ref };
    }
    if (path.includes("/contents/") && method === "PUT")
      return { content: { path: path.split("/contents/")[1] } };
    if (path.endsWith("/repository/commits")) return { id: "commit-8" };
    if (/contents|repository\/files/.test(path)) {
      const encoded = Buffer.from(content).toString("base64");
      return { sha: "file-sha", last_commit_id: "commit-7", content: encoded };
    }
    if (/\/(?:pulls|merge_requests)$/.test(path)) {
      const request = (number: number, ref: unknown, source_branch: unknown) => {
        const url = `https://host/${number}`;
        return { html_url: url, web_url: url, head: { ref }, source_branch };
      };
      return method === "POST"
        ? request(9, sent("head"), sent("source_branch"))
        : open().map((ref) => request(8, ref, ref));
    }
    if (path.includes("/repository/branches/")) {
      const name = branches().find((one) => path.endsWith(one));
      return name === undefined ? 404 : { name };
    }
    return {};
  };
}
