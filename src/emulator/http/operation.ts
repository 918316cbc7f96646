import type { z } from "zod";
import type { View } from "../entities/view.js";
import type { OrganizationData } from "../store/organization-data.js";
import type { AccessTokenRecord } from "../store/records.js";
import type { Variations } from "../variations.js";
import type { Query } from "./query.js";
import type { Scope } from "./scopes.js";

/** The placeholders of a path: `"/clusters/{id}"` has `"id"`. */
export type Placeholder<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** One request, as an operation sees it: authenticated, allowed, its organization known, its body checked. */
export interface Call<Name extends string, Body> {
  readonly params: Readonly<Record<Name, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly data: OrganizationData;
  readonly token: AccessTokenRecord;
  readonly view: View;
  readonly variations: Variations;
  /** The time now, as entities carry it. */
  readonly now: string;
}

/** A list an operation answers with: records of which only the asked page is shown. */
export interface Listing<Shown> {
  readonly length: number;
  slice(from: number, to: number): Shown[];
}

/** What can go wrong beside what every operation may answer (401, 403, 404, 429). */
export interface DocumentedError {
  readonly status: number;
  readonly when: string;
}

/** One operation of the API document: everything the router, the checks and the description need. */
export interface Operation {
  /** `<group>.<method>`, as `clusters.list`. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Other methods that do the same on the live service. */
  readonly alsoMethods: readonly ("PATCH" | "PUT")[];
  readonly path: string;
  /** The section of the API document. */
  readonly section: string;
  readonly scope: Scope | null;
  /** Scopes that do as well. */
  readonly alsoScopes: readonly Scope[];
  readonly summary: string;
  /** Query parameters, with what each does. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: z.ZodType | null;
  readonly status: 200 | 201 | 204;
  readonly response: z.ZodType | null;
  /** Whether it answers with an array: in pages, or whole unless asked for pages. */
  readonly list: "pages" | "whole" | null;
  readonly errors: readonly DocumentedError[];
  /** The refusal of a body that its schema does not fit. */
  readonly refuseBody: ((error: z.ZodError) => Error) | null;
  run(call: Call<string, unknown>): unknown;
}

/** What a routes file writes down of an operation; the rest is worked out. */
export interface OperationDefinition<Path extends string, Body extends z.ZodType> {
  readonly id: string;
  readonly method: Operation["method"];
  readonly alsoMethods?: Operation["alsoMethods"];
  readonly path: Path;
  readonly section: string;
  readonly scope: Scope | null;
  readonly alsoScopes?: readonly Scope[];
  readonly summary: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly status?: Operation["status"];
  readonly response?: z.ZodType;
  readonly list?: "pages" | "whole";
  readonly errors?: readonly DocumentedError[];
  readonly refuseBody?: (error: z.ZodError) => Error;
  /** Does the work and returns what is answered: an entity, a listing, or nothing for a 204. */
  run(call: Call<Placeholder<Path>, z.output<Body>>): unknown;
}

/** Declares an operation, with the types of its path and its body. */
export function operation<const Path extends string, Body extends z.ZodType = z.ZodUndefined>(
  definition: OperationDefinition<Path, Body>,
): Operation {
  return {
    id: definition.id,
    method: definition.method,
    alsoMethods: definition.alsoMethods ?? [],
    path: definition.path,
    section: definition.section,
    scope: definition.scope,
    alsoScopes: definition.alsoScopes ?? [],
    summary: definition.summary,
    query: definition.query ?? {},
    body: definition.body ?? null,
    status: definition.status ?? 200,
    response: definition.response ?? null,
    list: definition.list ?? null,
    errors: definition.errors ?? [],
    refuseBody: definition.refuseBody ?? null,
    // The router fills in the placeholders of this very path, and the body has passed this very schema.
    run: (call) => definition.run(call as Call<Placeholder<Path>, z.output<Body>>),
  };
}

/** Records to be shown one by one, the asked page only. */
export function listing<T, Shown>(records: readonly T[], show: (record: T) => Shown): Listing<Shown> {
  return {
    length: records.length,
    slice: (from, to) => records.slice(from, to).map(show),
  };
}
