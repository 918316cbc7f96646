import type { IncomingMessage } from "node:http";

const largestBody = 10_000_000;

/** The body as text, empty when the caller went away; undefined when it is larger than any sensible one. */
export async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
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
    return "";
  }
  return size > largestBody ? undefined : Buffer.concat(chunks).toString("utf8");
}

/** The body as the list of requests has it: parsed where it is JSON, undefined where there is none. */
export function recordable(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
