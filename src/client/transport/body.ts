import { portable } from "../../shared/protocol/encoded-values.js";
import type { ResponseBody } from "./exchange.js";

/** No response of the API is nested as deep as this; code that goes down into one would run out of stack. */
export const DEEPEST = 100;

/** Reads the bytes of a response, all text in it well-formed. JSON is taken as such whatever the content type says. */
export function readBody(bytes: Buffer, contentType: string): ResponseBody {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  if (text.trim() === "") return { kind: "empty" };
  try {
    const value: unknown = JSON.parse(text);
    if (isDeeperThan(DEEPEST, value)) return { kind: "tooDeep" };
    return { kind: "json", value: HALF_CHARACTER.test(text) ? portable(value) : value };
  } catch {
    // The parser's own error quotes the text, which may be secret: it goes no further.
    return /\bjson\b/i.test(contentType) ? { kind: "broken" } : { kind: "text", value: text, contentType };
  }
}

/** JSON can spell half a surrogate pair only as an escape: UTF-8 has no form for it. */
const HALF_CHARACTER = /\\u[dD][89a-fA-F]/;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeperThan(levels - 1, entry));
}
