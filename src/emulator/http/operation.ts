import type { z } from "zod";
import type { View } from "../model/entity.js";
import type { Collections, RecordIn } from "../store/organization-data.js";
import type { Variations } from "../variations.js";
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

/** A list an operation answers with: records of which only the asked page is shown. */
export interface Listing {
  readonly length: number;
  slice(from: number, to: number): unknown[];
  /** Returns the list without some of its records. */
  filter(keeps: (id: string) => boolean): Listing;
}

/** Definition of an operation in a section. */
export interface OperationDefinition<Path extends string, Body extends z.ZodType> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Other methods that do the same on the live service. */
  readonly alsoMethods?: readonly ("PATCH" | "PUT")[];
  readonly path: Path;
  readonly scope: Scope | null;
  /** The scopes of which one is enough, where that is not `scope` alone. */
  readonly acceptedScopes?: (variations: Variations) => readonly [Scope, ...Scope[]];
  readonly summary: string;
  /** Query parameters, with what each does. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** The status of success. Default 200, and 204 where nothing is answered. */
  readonly status?: 200 | 201 | 204;
  /** Schema of the response, or of each entry of a list. Omitted if there is no body. */
  readonly response?: z.ZodType;
  /** True if it answers with an array: in pages, or unpaged until a page is asked for. */
  readonly list?: "paged" | "unpaged";
  /** Reasons for a refusal, by status, in addition to every operation's (401, 403, 404, 429). */
  readonly errors?: Readonly<Record<number, string>>;
  /** The refusal of a body that its schema does not fit. Default: 422 that names each field. */
  readonly refuseBody?: (error: z.ZodError) => Error;
  /** Does the work and returns the response: an entity, a listing, or nothing for a 204. */
  run(call: Call<Placeholder<Path>, z.output<Body>>): unknown;
}

type AnyDefinition = OperationDefinition<string, z.ZodType>;

/** One operation: everything the router, the checks and the description need. */
export interface Operation extends AnyDefinition {
  /** `<group>.<method>`, as `clusters.list`. */
  readonly id: string;
  /** The section of the API document. */
  readonly section: string;
  readonly status: 200 | 201 | 204;
}

/** Declares an operation, with the types of its path and its body. */
export function operation<const Path extends string, Body extends z.ZodType = z.ZodUndefined>(
  definition: OperationDefinition<Path, Body>,
): AnyDefinition {
  // The router fills in the placeholders of this very path, and the body has passed this very schema.
  return definition as unknown as AnyDefinition;
}

/** A section of the API document: its operations, and the collections it keeps its records in. */
export interface Section {
  readonly collections: Collections;
  readonly operations: readonly Operation[];
}

/** Declares a section. Operations are named within their group: `list` of `clusters` is `clusters.list`. */
export function section(settings: {
  readonly group: string;
  /** In the API document. */
  readonly number: string;
  readonly collections?: Collections;
  readonly operations: Readonly<Record<string, AnyDefinition>>;
}): Section {
  const operations = Object.entries(settings.operations).map(([name, definition]) => ({
    ...definition,
    id: `${settings.group}.${name}`,
    section: settings.number,
    status: definition.status ?? (definition.response === undefined ? 204 : 200),
  }));
  return { collections: settings.collections ?? {}, operations };
}

/** Records to be shown one by one, the asked page only. */
export function listing<T extends { readonly id: string }>(
  records: readonly T[],
  show: (record: T) => unknown,
): Listing {
  return {
    length: records.length,
    slice: (from, to) => records.slice(from, to).map(show),
    filter: (keeps) =>
      listing(
        records.filter(({ id }) => keeps(id)),
        show,
      ),
  };
}
