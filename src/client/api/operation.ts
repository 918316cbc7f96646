import * as z from "zod";
import type { Method } from "../transport/exchange.js";

/** Scopes of an access token. */
export type Scope =
  | "read_clusters"
  | "write_clusters"
  | "read_pipeline_templates"
  | "write_pipeline_templates"
  | "read_teams"
  | "view_teams"
  | "write_teams"
  | "read_suites"
  | "write_suites"
  | "read_agents"
  | "write_agents"
  | "read_organizations"
  | "read_builds"
  | "write_builds";

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
  /** True if it may be sent again when its response was lost: not where a second time would do a second thing. */
  readonly resendable: boolean;
}

export const nothing: z.ZodType<void> = z.void();

type Declaration = readonly [
  method: Method,
  path: string,
  scope: Scope | null,
  result: z.ZodType,
  exception?: { readonly resendable: boolean },
];

/** The operations of a group, by the names of the client's methods. */
export type Operations<Declared extends Readonly<Record<string, Declaration>>> = {
  readonly [Name in keyof Declared]: Operation<Declared[Name][1], z.output<Declared[Name][3]>>;
};

/** Declares the operations of one group, which one section of the API document describes. */
export function operations<const Declared extends Readonly<Record<string, Declaration>>>(
  group: string,
  section: string,
  declared: Declared,
): Operations<Declared> {
  const entries = Object.entries(declared).map(([name, [method, path, scope, result, exception]]) => {
    const resendable = exception?.resendable ?? method !== "POST";
    return [name, { id: `${group}.${name}`, method, path, scope, section, result, resendable }];
  });
  // The same names, each with what its declaration says; Object.fromEntries loses that knowledge.
  return Object.fromEntries(entries) as Operations<Declared>;
}

export const anyList = (path: string): Operation<string, unknown> =>
  operations("any", "", { list: ["GET", path, null, z.unknown()] }).list;

/** The body of a change: any field of the body may be left out, and then stays as it is. */
export type Change<Body> = { [Name in keyof Body]?: Body[Name] | undefined };
