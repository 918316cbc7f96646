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
  /** The id of that object, or the argument with the steps. */
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
