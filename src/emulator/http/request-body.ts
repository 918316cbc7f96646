import type { IncomingMessage } from "node:http";

const largestBody = 10_000_000;
const deepestNesting = 100;

/** A request's body: what JSON it is, or why it is none. */
export type RequestBody =
  | { readonly json: unknown; readonly size: number }
  | { readonly problem: "too large" | "not JSON" | "too deep"; readonly text: string };

/** Reads a body. Empty, it is the JSON `undefined`, also when the caller went away. */
export async function readBody(incoming: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming) {
      if (!(chunk instanceof Buffer)) continue;
      size += chunk.length;
      // The rest is read all the same: a caller that is still sending would not hear the answer.
      if (size <= largestBody) chunks.push(chunk);
    }
  } catch {
    return { json: undefined, size: 0 };
  }
  if (size > largestBody) return { problem: "too large", text: "[too large]" };
  return parseBody(Buffer.concat(chunks).toString("utf8"));
}

/** Reads a body without keeping any of it. */
export async function skipBody(incoming: IncomingMessage): Promise<undefined> {
  let size = 0;
  try {
    for await (const chunk of incoming) {
      size += (chunk as Buffer).length;
      // Leaving the loop closes the connection.
      if (size > largestBody) break;
    }
  } catch {
    // The caller went away.
  }
  return undefined;
}

function parseBody(text: string): RequestBody {
  if (text.trim() === "") return { json: undefined, size: 0 };
  try {
    const json: unknown = JSON.parse(text);
    // Deeply nested values would exhaust the stack of functions that walk them.
    return isWithin(json, deepestNesting)
      ? { json, size: text.length }
      : { problem: "too deep", text: "[nested too deeply]" };
  } catch {
    return { problem: "not JSON", text };
  }
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((entry) => isWithin(entry, levels - 1));
}
