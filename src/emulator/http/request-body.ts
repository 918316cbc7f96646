import type { IncomingMessage } from "node:http";
import { Refusal } from "../model/refusals.js";

const largestBody = 10_000_000;
const deepestNesting = 100;

export interface RequestBody {
  /** Undefined if there is none, or it isn't JSON that can be used. */
  readonly json?: unknown;
  readonly refusal?: Refusal;
  /** The body as the list of requests has it. */
  readonly recorded?: unknown;
  readonly size: number;
}

/** No body, also that of a caller who went away. */
const noBody: RequestBody = { size: 0 };

/** Reads a body. Nothing is kept of one that comes from a stranger. */
export async function readBody(incoming: IncomingMessage, isKnown = true): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming) {
      if (!(chunk instanceof Buffer)) continue;
      size += chunk.length;
      // The rest is read all the same: a caller that is still sending would not hear the answer.
      if (isKnown && size <= largestBody) chunks.push(chunk);
      // Leaving the loop closes a stranger's connection.
      if (!isKnown && size > largestBody) break;
    }
  } catch {
    return noBody;
  }
  if (!isKnown) return noBody;
  if (size > largestBody) return refusedBody(413, "The request body is too large", "[too large]");
  return parseBody(Buffer.concat(chunks).toString("utf8"));
}

function parseBody(text: string): RequestBody {
  if (text.trim() === "") return noBody;
  try {
    const json: unknown = JSON.parse(text);
    // Deeply nested values would exhaust the stack of functions that walk them.
    return isWithin(json, deepestNesting)
      ? { json, recorded: json, size: text.length }
      : refusedBody(400, "The request body is nested too deeply", "[nested too deeply]");
  } catch {
    return refusedBody(400, "The request body is not valid JSON", text);
  }
}

function refusedBody(status: 400 | 413, message: string, recorded: string): RequestBody {
  return { refusal: new Refusal(status, message), recorded, size: recorded.length };
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((entry) => isWithin(entry, levels - 1));
}
