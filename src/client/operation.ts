import * as z from "zod";
import type { Scope } from "./scope.js";

/** How a request is made. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One operation of the API document, as documentation and tests see it. */
export interface OperationFacts {
  /** `<group>.<method>`, as the client names them: `clusters.list`. */
  readonly id: string;
  readonly method: Method;
  /** Path template with the document's placeholders: `/v2/organizations/{org_slug}/clusters/{id}`. */
  readonly path: string;
  /** The scope the access token needs; null where none is needed. */
  readonly scope: Scope | null;
  /** Section of the API document: `4.1`. */
  readonly section: string;
}

/** One operation, with what a call of it needs to know. For lists, `result` is one item. */
export interface Operation<Path extends string, Result> extends OperationFacts {
  readonly path: Path;
  readonly result: z.ZodType<Result>;
  /** Whether it may be sent again when an answer was lost: not where a second time would do a second thing. */
  readonly resendable: boolean;
}

/** The result of an operation that answers with nothing. */
export const nothing: z.ZodType<void> = z.void();

/** Declares an operation. */
export function operation<Path extends string, Result>(
  id: string,
  method: Method,
  path: Path,
  scope: Scope | null,
  section: string,
  result: z.ZodType<Result>,
  { resendable = method !== "POST" }: { resendable?: boolean } = {},
): Operation<Path, Result> {
  return { id, method, path, scope, section, result, resendable };
}
