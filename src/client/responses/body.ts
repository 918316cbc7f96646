import type { ResponseBody } from "../transport/exchange.js";

/** Reads the bytes of an answer. JSON is taken as such whatever the content type says. */
export function readBody(bytes: Buffer, contentType: string): ResponseBody {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  if (text.trim() === "") return { kind: "empty" };
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "json", value };
  } catch {
    // The parser's own error quotes the text, which may be secret: it goes no further.
    return /\bjson\b/i.test(contentType) ? { kind: "broken" } : { kind: "text", value: text, contentType };
  }
}
