import { createHash } from "node:crypto";

/**
 * The code at the end of a message of the provider. Pulumi passes a message on as text alone, and the sentence before the
 * code has names in it that say anything.
 */
export interface Code {
  /** Its row in the error reference. */
  readonly name: string;
  /** For `taken` and `namesake`, the object that has the name; for remarks on steps, what `withStepCode` says of them. */
  readonly id?: string;
}

const AT_END = / \[buildpipeline:([a-z-]+)(?: ([^\s\]]+))?\]$/;

/** Returns a sentence with its code: `… [buildpipeline:taken 0198…]`. A cause at its end has the better one. */
export function withCode(sentence: string, name: string, id?: string): string {
  if (AT_END.test(sentence)) return sentence;
  return `${sentence} [buildpipeline:${name}${id === undefined ? "" : ` ${id}`}]`;
}

/** Returns a sentence with the code of the failure that it explains, if that has one. */
export function withCodeOf(sentence: string, failure: unknown): string {
  const code = codeOf(failure);
  return code === undefined ? sentence : withCode(sentence, code);
}

/** Returns the code of an error of the client or of the settings, or that of its cause. Node's codes are capitals. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = "code" in error && typeof error.code === "string" ? error.code : "";
  return /^[a-z-]+$/.test(own) ? own : codeOf(error.cause);
}

/** Returns a message without its code, and the code. */
export function readCode(message: string): { readonly message: string; readonly code?: Code } {
  const [suffix = "", name, id] = AT_END.exec(message) ?? [];
  if (name === undefined) return { message };
  return { message: message.slice(0, -suffix.length), code: { name, ...(id !== undefined && { id }) } };
}

/** Changes the sentence of a message, whose code stays at its end. */
export function inSentence(message: string, change: (sentence: string) => string): string {
  const { message: sentence, code } = readCode(message);
  return code === undefined ? change(sentence) : withCode(change(sentence), code.name, code.id);
}

/** The codes of remarks on steps: on their form, or on a name in them. */
export const STEP_CODES = { form: "steps-undocumented", name: "steps-name-nothing" } as const;

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

export function withStepCode(
  sentence: string,
  { document, isRejected, kind = "", name = "" }: StepCode,
): string {
  const parts = [document, isRejected ? "rejected" : "taken", kind, Buffer.from(name).toString("base64url")];
  return withCode(sentence, kind === "" ? STEP_CODES.form : STEP_CODES.name, parts.join(":"));
}

/** Returns what a code says; undefined for another one. */
export function readStepCode(code: Code | undefined): StepCode | undefined {
  if (code?.id === undefined || !Object.values<string>(STEP_CODES).includes(code.name)) return undefined;
  const [document = "", outcome, kind, name = ""] = code.id.split(":");
  const isNamed = kind !== undefined && kind !== "";
  return {
    document,
    isRejected: outcome === "rejected",
    ...(isNamed && { kind, name: Buffer.from(name, "base64url").toString() }),
  };
}
