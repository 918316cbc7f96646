/**
 * A resource of a program. An argument may be the id of an earlier resource, `{ idOf: "its name" }`, or its secret:
 * `{ tokenOf: "its name" }`.
 */
export interface Declared {
  readonly name: string;
  readonly kind: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly import?: string;
  /** The name that the resource had before, by the option `aliases`. */
  readonly alias?: string;
  /** Unseen: the program is in another language, whose SDK doesn't tell the provider. */
  readonly deleteBeforeReplace?: boolean | "unseen";
  readonly replaceOnChanges?: readonly string[];
  /** The id of an object that is only read, as `X.get` does. */
  readonly get?: string;
}

export type Program = readonly Declared[];

/** The name of the resource whose id or secret an argument is; undefined for a plain value. */
export function referenceOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("idOf" in value) return String(value.idOf);
  return "tokenOf" in value ? String(value.tokenOf) : undefined;
}

/** The names of the resources whose ids or secrets stand in each argument. */
export function referencesOf({ args }: Declared): Record<string, string> {
  const references: Record<string, string> = {};
  for (const [name, value] of Object.entries(args)) {
    const to = referenceOf(value);
    if (to !== undefined) references[name] = to;
  }
  return references;
}
