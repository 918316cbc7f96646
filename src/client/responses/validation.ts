import type * as z from "zod";
import { describeExpected, describePath, describeType, valueAt } from "../../messages/issue.js";

/**
 * Difference between a response and the API document. It has the type of the wrong value, never the value.
 */
export interface Mismatch {
  field: string;
  expected: string;
  received: string;
}

/** Returns the value, if it is what the API document promises; else the first mismatch. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): { value: T } | { mismatch: Mismatch } {
  const result = schema.safeParse(value, { reportInput: false });
  if (result.success) return { value: result.data };
  const issue = result.error.issues[0];
  if (issue === undefined)
    return { mismatch: { field: "body", expected: "something else", received: "not valid" } };
  return {
    mismatch: {
      field: describePath(issue.path) || "body",
      expected: describeExpected(issue),
      received: describeType(valueAt(value, issue.path)),
    },
  };
}
