export interface ValueMismatch {
  /** Where in the value, as a program would write it: "" or "[1]". */
  readonly place: string;
  readonly value: unknown;
  readonly problem: TextProblem;
}

/**
 * Words about a value; about a place in a long text, which then has the part that is to be quoted; or with their own fix,
 * in place of what is expected. Some of the last have the message's code.
 */
export type TextProblem =
  | string
  | { readonly words: string; readonly excerpt: string; readonly line?: number }
  | { readonly words: string; readonly fix: string; readonly code?: string };
