import type { z } from "zod";
import type { View } from "../model/entity.js";
import type { Variations } from "../model/variations.js";
import type { RecordIn } from "../store/collection.js";

/** Every scope that Buildkite's documentation names. */
export const scopes = [
  "read_clusters",
  "write_clusters",
  "read_pipeline_templates",
  "write_pipeline_templates",
  "read_teams",
  "view_teams",
  "write_teams",
  "read_suites",
  "write_suites",
  "read_agents",
  "write_agents",
  "read_organizations",
  "read_builds",
  "write_builds",
  "read_pipelines",
  "write_pipelines",
  "read_secrets_details",
  "write_secrets",
  "read_notification_services",
  "write_notification_services",
  "read_rules",
  "write_rules",
  "read_organization_settings",
  "write_organization_settings",
  "read_organization_invitations",
  "read_audit_events",
] as const;

/** A scope of an API access token. */
export type Scope = (typeof scopes)[number];

/** The parameters of a request, with the spellings clients use: `state=a`, `state[]=a&state[]=b`, `meta_data[key]=v`. */
export class Query extends URLSearchParams {
  /** @param text As it was sent, without `?`. */
  constructor(readonly text: string) {
    super(text);
  }

  /** Returns the value of a parameter that comes once; the last one when it comes more often. */
  one(name: string): string | undefined {
    return this.getAll(name).at(-1);
  }

  /** Returns all values of a parameter, in either spelling; empty ones do not count. */
  all(name: string): string[] {
    return [...this.getAll(name), ...this.getAll(`${name}[]`)].filter((value) => value !== "");
  }

  /** Checks whether a parameter is given, and does not say no. */
  flag(name: string): boolean {
    const value = this.one(name);
    return value !== undefined && value !== "false" && value !== "0";
  }
}

/** The placeholders of a path: `"/clusters/{id}"` has `"id"`. */
type Placeholder<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** One request, as an operation sees it: authenticated, allowed, its organization known, its body checked. */
export interface Call<Name extends string = string, Body = unknown> extends View {
  readonly params: Readonly<Record<Name, string>>;
  /** As it was sent, without the query. */
  readonly path: string;
  readonly query: Query;
  readonly body: Body;
  readonly token: RecordIn<"accessTokens">;
  /** The time now, as entities carry it. */
  readonly now: string;
  /** What a record has that the request creates. */
  readonly made: { readonly id: string; readonly created_at: string; readonly created_by: string };
}

export interface Response<Source> {
  readonly schema: z.ZodType;
  show(call: Call, record: Source): Record<string, unknown>;
}

interface Settings<Source> {
  /** Default: the section's scope that reads or writes, by the method. */
  readonly scope?: Scope | null;
  /** The scopes of which one is enough, where that is not `scope` alone. */
  readonly acceptedScopes?: (variations: Variations) => readonly [Scope, ...Scope[]];
  /** Query parameters, with what each does. */
  readonly query?: Readonly<Record<string, string>>;
  /** What the response shows, or each entry of a list. Omitted if there is no body. */
  readonly response?: Response<Source>;
  /** How it answers with a list, if it does: in pages by number or by cursor, or unpaged until a page is asked for. */
  readonly list?: "paged" | "unpaged" | "cursor";
  /** Refusals by status, beside every operation's (401, 403, 404, 429). Default: 422 if there is a body to validate. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Properties of the body that an older service doesn't know. */
  readonly added?: readonly string[];
  /** Default: PATCH beside an update by PUT. */
  readonly alsoBy?: "PATCH" | "PUT" | undefined;
  /** Default: 201 for `create`, 204 without a response. */
  readonly status?: 200 | 201 | 204;
  /** The refusal of a body that its schema does not fit. Default: 422 that names each field. */
  readonly refuseBody?: (error: z.ZodError) => Error;
}

/** An operation of a section, its types forgotten. */
interface Definition extends Settings<unknown> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With placeholders in braces. */
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  /** Does the work and returns the record to show, or all records of a list. */
  run(call: Call): unknown;
}

/** One operation: everything the router, the checks and the description need. */
export interface Operation extends Definition {
  /** `<group>.<method>`, as `queues.pauseDispatch`. */
  readonly id: string;
  /** Whether an older service lacks it: the variation `newerApi`. */
  readonly isNewer: boolean;
  /** The scope an access token needs; null when none. */
  readonly scope: Scope | null;
  readonly status: 200 | 201 | 204;
  /** Another method that does the same on the live service. */
  readonly alsoBy: "PATCH" | "PUT" | undefined;
  readonly errors: Readonly<Record<number, string>>;
}

export function operation<
  const Path extends string,
  Body extends z.ZodType = z.ZodUndefined,
  Source = unknown,
>(
  method: Definition["method"],
  path: Path,
  summary: string,
  settings: Settings<Source> & {
    readonly body?: Body;
    run(call: Call<Placeholder<Path>, z.output<Body>>): NoInfer<Source | readonly Source[]>;
  },
): Definition {
  // The router fills in the placeholders of this very path, the body has passed this very schema, and the response
  // shows what this very operation returned.
  return { method, path, summary, ...settings } as unknown as Definition;
}

export function listing<const Path extends string, Source>(
  path: Path,
  summary: string,
  response: Response<Source>,
  run: (call: Call<Placeholder<Path>>) => readonly NoInfer<Source>[],
  settings: Settings<Source> = {},
): Definition {
  return operation("GET", path, summary, { list: "paged", ...settings, response, run });
}

export function reading<const Path extends string, Source>(
  path: Path,
  summary: string,
  response: Response<Source>,
  run: (call: Call<Placeholder<Path>>) => NoInfer<Source>,
  settings: Settings<Source> = {},
): Definition {
  return operation("GET", path, summary, { ...settings, response, run });
}

/** Declares a deletion, with the reason for a refusal with 422, if there is any. */
export function deletion<const Path extends string>(
  path: Path,
  summary: string,
  reason: string | null,
  run: (call: Call<Placeholder<Path>>) => unknown,
): Definition {
  return operation("DELETE", path, summary, { run, ...(reason && { errors: { 422: reason } }) });
}

/** Declares a section that an older service lacks. */
export function newerSection(...given: Parameters<typeof section>): readonly Operation[] {
  return section(...given).map((one) => ({ ...one, isNewer: true }));
}

/**
 * Operations are named within their group: `list` of `clusters` is `clusters.list`. Those that read need the scope
 * `read_<subject>`, others `write_<subject>`; with the subject null, none is needed.
 */
export function section(
  group: string,
  subject: string | null,
  operations: Readonly<Record<string, Definition>>,
): readonly Operation[] {
  return Object.entries(operations).map(([name, definition]) => {
    const { method, body, response } = definition;
    const success = name === "create" ? 201 : 200;
    const usual = `${method === "GET" ? "read" : "write"}_${subject}`;
    return {
      errors: body === undefined ? {} : { 422: "validation fails" },
      ...definition,
      id: `${group}.${name}`,
      isNewer: false,
      scope: definition.scope ?? scopes.find((scope) => scope === usual) ?? null,
      status: definition.status ?? (response === undefined ? 204 : success),
      alsoBy: definition.alsoBy ?? (name === "update" && method === "PUT" ? "PATCH" : undefined),
    };
  });
}
