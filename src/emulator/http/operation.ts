import type { z } from "zod";
import type { Entity, View } from "../model/entity.js";
import type { Variations } from "../model/variations.js";
import type { RecordIn } from "../store/organization-data.js";
import type { Query } from "./query.js";
import type { Scope } from "./scopes.js";

/** The placeholders of a path: `"/clusters/{id}"` has `"id"`. */
type Placeholder<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** One request, as an operation sees it: authenticated, allowed, its organization known, its body checked. */
export interface Call<Name extends string = string, Body = unknown> extends View {
  readonly params: Readonly<Record<Name, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly token: RecordIn<"accessTokens">;
  /** The time now, as entities carry it. */
  readonly now: string;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Settings<Path extends string, Body extends z.ZodType, Source> {
  /** Other methods that do the same on the live service. */
  readonly alsoMethods?: readonly Method[];
  /** Default: the section's scope that reads or writes, by the method. */
  readonly scope?: Scope | null;
  /** The scopes of which one is enough, where that is not `scope` alone. */
  readonly acceptedScopes?: (variations: Variations) => readonly [Scope, ...Scope[]];
  /** Query parameters, with what each does. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** The status of success. Default 200, and 204 where nothing is answered. */
  readonly status?: 200 | 201 | 204;
  /** What the response shows, or each entry of a list. Omitted if there is no body. */
  readonly response?: Entity<Source, Call>;
  /** True if it answers with an array: in pages, or unpaged until a page is asked for. */
  readonly list?: "paged" | "unpaged";
  /**
   * Reasons for a refusal, by status, in addition to every operation's (401, 403, 404, 429). Default: 422 if there is a
   * body to validate.
   */
  readonly errors?: Readonly<Record<number, string>>;
  /** The refusal of a body that its schema does not fit. Default: 422 that names each field. */
  readonly refuseBody?: (error: z.ZodError) => Error;
  /** Does the work and returns the record to show, or all records of a list. */
  run(call: Call<Placeholder<Path>, z.output<Body>>): NoInfer<Source | readonly Source[]>;
}

/** An operation of a section, its types forgotten. */
interface Definition extends Settings<string, z.ZodType, unknown> {
  readonly method: Method;
  /** With placeholders in braces. */
  readonly path: string;
  readonly summary: string;
}

/** One operation: everything the router, the checks and the description need. */
export interface Operation extends Definition {
  /** `<group>.<method>`, as `queues.pauseDispatch`. */
  readonly id: string;
  /** The section of the API document. */
  readonly section: string;
  /** The scope an access token needs; null when none. */
  readonly scope: Scope | null;
  readonly status: 200 | 201 | 204;
  readonly errors: Readonly<Record<number, string>>;
}

/** Declares an operation, with the types of its path, its body and its response. */
export function operation<
  const Path extends string,
  Body extends z.ZodType = z.ZodUndefined,
  Source = unknown,
>(method: Method, path: Path, summary: string, settings: Settings<Path, Body, Source>): Definition {
  // The router fills in the placeholders of this very path, the body has passed this very schema, and the response
  // shows what this very operation returned.
  return { method, path, summary, ...settings } as unknown as Definition;
}

/** Declares a section. Operations are named within their group: `list` of `clusters` is `clusters.list`. */
export function section(settings: {
  readonly group: string;
  readonly number: string;
  /** The scope of an operation that reads, and of one that writes; null where none is needed. */
  readonly scopes: { readonly read: Scope; readonly write?: Scope } | null;
  readonly operations: Readonly<Record<string, Definition>>;
}): readonly Operation[] {
  const { group, number, scopes } = settings;
  return Object.entries(settings.operations).map(([name, definition]) => ({
    ...definition,
    id: `${group}.${name}`,
    section: number,
    scope: definition.scope ?? (definition.method === "GET" ? scopes?.read : scopes?.write) ?? null,
    errors: definition.errors ?? (definition.body === undefined ? {} : { 422: "validation fails" }),
    status: definition.status ?? (definition.response === undefined ? 204 : 200),
  }));
}
