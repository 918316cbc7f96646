import { createHash } from "node:crypto";

/**
 * Codes at the end of the provider's messages that a command acts on. Pulumi passes a message on as text alone, and the
 * sentence before the code has names in it that say anything.
 */
export interface Code {
  /**
   * `taken`: the name that a resource declares belongs to another object. `namesake`: an object has the same name. `steps`: a
   * remark on steps, which are what the preview shows.
   */
  readonly name: (typeof NAMES)[number];
  /** The id of that object, or what `stepCode` says of the remark. */
  readonly id: string;
}

const NAMES = ["taken", "namesake", "steps"] as const;

/** Returns a sentence with its code: `… [buildpipeline:taken 0198…]`. */
export function withCode(sentence: string, { name, id }: Code): string {
  return `${sentence} [buildpipeline:${name} ${id}]`;
}

const AT_END = / \[buildpipeline:(\w+) ([^\s\]]+)\]$/;

/** Returns a message without its code, and the code. */
export function readCode(message: string): { readonly message: string; readonly code?: Code } {
  const [suffix = "", found, id] = AT_END.exec(message) ?? [];
  const name = NAMES.find((one) => one === found);
  if (name === undefined || id === undefined) return { message };
  return { message: message.slice(0, -suffix.length), code: { name, id } };
}

/** What a remark on steps is about. A report finds the object by the text, as a dynamic provider knows no address. */
export interface StepCode {
  readonly document: string;
  /** The API rejects such steps. */
  readonly isRejected: boolean;
  /** The object that they name in vain. */
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
}

export function documentDigest(text: unknown): string {
  return typeof text === "string" ? createHash("sha256").update(text).digest("hex").slice(0, 12) : "";
}

export function stepCode({ document, isRejected, kind = "", name = "" }: StepCode): Code {
  const parts = [document, isRejected ? "rejected" : "taken", kind, Buffer.from(name).toString("base64url")];
  return { name: "steps", id: parts.join(":") };
}

/** Returns what a code says; undefined for another one. */
export function readStepCode(code: Code | undefined): StepCode | undefined {
  if (code?.name !== "steps") return undefined;
  const [document = "", outcome, kind, name = ""] = code.id.split(":");
  const isNamed = kind !== undefined && kind !== "";
  return {
    document,
    isRejected: outcome === "rejected",
    ...(isNamed && { kind, name: Buffer.from(name, "base64url").toString() }),
  };
}
