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

/** How a request fails: with a status or a lost connection, before or after the host did what it asks for. */
interface Fault {
  readonly name: string;
  readonly status: number | "lost";
  readonly isDone?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a host fails for a moment. After each of them, a command does its work once. */
export const PASSING: readonly Fault[] = [
  { name: "429", status: 429, headers: { "retry-after": "0" } },
  { name: "a secondary limit", status: 403, headers: { "retry-after": "0" } },
  {
    name: "a used up limit",
    status: 403,
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "0" },
  },
  { name: "502 before the work", status: 502 },
  { name: "502 after the work", status: 502, isDone: true },
  { name: "a lost response", status: "lost", isDone: true },
];

/** A server in the place of GitHub's or GitLab's API, which a test answers for. */
export class StandInHost {
  readonly sent: Sent[] = [];
  readonly headers: Record<string, unknown>[] = [];
  readonly #server: Server;
  answer: Answer = () => 404;
  fault: (request: Sent) => Fault | undefined = () => undefined;
  /** What happens elsewhere before a request is answered. */
  meanwhile: () => Promise<void> = async () => {};

  constructor() {
    this.#server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const url = new URL(request.url ?? "", this.url);
      const body = text === "" ? undefined : JSON.parse(text);
      const sent = { method: request.method ?? "", path: url.pathname, body };
      this.headers.push(request.headers);
      if (sent.method !== "GET") this.sent.push(sent);
      await this.meanwhile();
      const fault = this.fault(sent);
      const isDone = fault === undefined || fault.isDone;
      const answer = isDone ? this.answer(sent, url.searchParams) : undefined;
      if (fault?.status === "lost") return void response.destroy();
      if (fault !== undefined)
        return void response.writeHead(fault.status, fault.headers).end('{"message":"Not now"}');
      if (answer instanceof Redirect)
        return void response.writeHead(answer.status, { location: answer.location }).end();
      response.writeHead(typeof answer === "number" ? answer : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(typeof answer === "number" ? { message: "refused" } : answer));
    });
  }

  /** Fails each request once, and counts how often it fails. */
  failsOnce(fault: Fault): () => number {
    const seen = new Set<string>();
    this.fault = ({ method, path }) => {
      const isFirst = !seen.has(`${method} ${path}`);
      seen.add(`${method} ${path}`);
      return isFirst ? fault : undefined;
    };
    return () => seen.size;
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

/** What a repository contains: its one file in its main branch and in others, and the branches with an open request. */
export interface Contents {
  readonly file: string;
  readonly content: string;
  readonly branches: Record<string, string>;
  readonly open: string[];
  /** The other files that a branch changes. */
  readonly besides?: Readonly<Record<string, readonly string[]>>;
  /** The branches whose commits the main branch has, which later ones of its own may have reverted. */
  readonly merged?: readonly string[];
}

/** Answers as GitHub and as GitLab for the repository `acme/ci`. */
export function repositoryWith(contents: Contents): Answer {
  const { file, content, branches, open, besides = {}, merged = [] } = contents;
  return ({ method, path, body }, query) => {
    const sent = (name: string): string => String(Reflect.get(Object(body), name));
    const encoded = (text: string) => Buffer.from(text).toString("base64");
    const decoded = (text: string) => Buffer.from(text, "base64").toString();
    if (path === "/repos/acme/ci") return { default_branch: "main" };
    if (path.endsWith("/git/ref/heads/main")) return { object: { sha: "main-sha" } };
    if (path.endsWith("/git/refs")) {
      const branch = sent("ref").replace("refs/heads/", "");
      if (branch in branches) return 422;
      branches[branch] = content;
      return { ref: sent("ref") };
    }
    if (path.includes("/contents/") && method === "PUT") {
      if (branches[sent("branch")] !== content) return 409;
      branches[sent("branch")] = decoded(sent("content"));
      return { content: { path: path.split("/contents/")[1] } };
    }
    if (path.endsWith("/repository/commits")) {
      if (sent("branch") in branches) return 400;
      const { actions } = Object(body);
      branches[sent("branch")] = decoded(actions[0].content);
      return { id: "commit-8" };
    }
    if (/contents|repository\/files/.test(path)) {
      const found = encoded(branches[query.get("ref") ?? ""] ?? content);
      return { sha: "file-sha", last_commit_id: "commit-7", content: found };
    }
    if (path.includes("/compare")) {
      const branch = query.get("to") ?? path.split("...")[1] ?? "";
      if (!(branch in branches)) return 404;
      const isSame = branches[branch] === content || merged.includes(branch);
      const changed = [...(isSame ? [] : [file]), ...(besides[branch] ?? [])];
      return {
        files: changed.map((filename) => ({ filename })),
        diffs: changed.map((name) => ({ old_path: name, new_path: name })),
      };
    }
    if (/\/(?:pulls|merge_requests)$/.test(path)) {
      const request = (number: number, branch: string) => {
        const url = `https://host/${number}`;
        return { html_url: url, web_url: url, head: { ref: branch }, source_branch: branch };
      };
      if (method === "GET") return open.map((branch) => request(8, branch));
      const isGitHub = path.endsWith("pulls");
      const branch = sent(isGitHub ? "head" : "source_branch");
      if (open.includes(branch) || merged.includes(branch)) return isGitHub ? 422 : 409;
      open.push(branch);
      return request(9, branch);
    }
    return {};
  };
}
