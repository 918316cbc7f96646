import { portable } from "../../shared/protocol/encoded-values.js";
import type { ResponseBody } from "./exchange.js";

/** No response of the API is nested as deep as this; code that goes down into one would run out of stack. */
export const DEEPEST = 100;

/** Reads the bytes of a response, all text in it well-formed. JSON is taken as such whatever the content type says. */
export function readBody(bytes: Buffer, contentType: string): ResponseBody {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  if (text.trim() === "") return { kind: "empty" };
  if (isDeeperThan(DEEPEST, bytes)) return { kind: "tooDeep" };
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "json", value: HALF_CHARACTER.test(text) ? portable(value) : value };
  } catch {
    // The parser's own error quotes the text, which may be secret: it goes no further.
    return /\bjson\b/i.test(contentType) ? { kind: "broken" } : { kind: "text", value: text, contentType };
  }
}

/** JSON can spell half a surrogate pair only as an escape: UTF-8 has no form for it. */
const HALF_CHARACTER = /\\u[dD][89a-fA-F]/;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set(Buffer.from("[{"));
const CLOSING: ReadonlySet<number> = new Set(Buffer.from("]}"));

/** Checks whether JSON is nested deeper, without parsing it. In UTF-8 these bytes are never part of another character. */
function isDeeperThan(most: number, json: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0;
    if (inString && byte === BACKSLASH) index += 1;
    else if (byte === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}
