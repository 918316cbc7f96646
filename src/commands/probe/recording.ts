import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { writing } from "../../cli/terminal/files.js";
import { type HttpRequest, type HttpResponse, header } from "../../client/transport/exchange.js";
import { Redaction } from "./redaction.js";

/** The requests and responses of a probe, redacted, as the tools of other clients write and read them (VCR). */
export class Recording {
  readonly #redaction = new Redaction();
  readonly #interactions: object[] = [];

  /** @throws if the folder can't be made, before any request is sent */
  constructor(private readonly folder: string) {
    writing(folder, () => mkdirSync(folder, { recursive: true }));
  }

  /** Notes a request and its response. Of their headers, only the type and the links to other pages are kept. */
  readonly add = (
    { method, target, body: sent }: HttpRequest,
    { status, headers, body }: HttpResponse,
  ): void => {
    const link = this.#redaction.link(header(headers, "link") ?? "");
    const answered = body.kind === "json" ? JSON.stringify(this.#redaction.value(body.value)) : "";
    this.#interactions.push({
      request: {
        method: method.toLowerCase(),
        uri: this.#redaction.address(target),
        body: text(sent === undefined ? "" : JSON.stringify(this.#redaction.value(JSON.parse(sent)))),
      },
      response: {
        status: { code: status, message: "" },
        headers: { "content-type": ["application/json"], ...(link && { link: [link] }) },
        body: text(answered),
      },
      recorded_at: new Date().toISOString(),
    });
  };

  /** Writes the file. @returns its path */
  write(): string {
    const now = new Date().toISOString().replaceAll(/\W/g, "-");
    const file = join(this.folder, `probe-${now}.yml`);
    const content = { http_interactions: this.#interactions, recorded_with: "pulumi-buildpipeline probe" };
    writing(file, () => writeFileSync(file, stringify(content)));
    return file;
  }
}

const text = (string: string) => ({ encoding: "UTF-8", string });
