import * as z from "zod";
import type { Method } from "../transport/exchange.js";

/** Scopes of an access token. */
export type Scope =
  | "read_clusters"
  | "write_clusters"
  | "read_secrets_details"
  | "write_secrets"
  | "read_pipelines"
  | "write_pipelines"
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
  | "write_builds"
  | "read_notification_services"
  | "write_notification_services"
  | "read_rules"
  | "write_rules"
  | "read_organization_settings"
  | "write_organization_settings"
  | "read_organization_invitations"
  | "read_audit_events";

/** One operation of the API, as documentation and tests see it. */
export interface OperationFacts {
  /** `<group>.<method>`, as the client names them: `clusters.list`. */
  readonly id: string;
  readonly method: Method;
  /** Path template with Buildkite's placeholders: `/v2/organizations/{org_slug}/clusters/{id}`. */
  readonly path: string;
  /** The scope the access token needs; null where none is needed. */
  readonly scope: Scope | null;
  /** The group of its methods in the client: `clusters`. */
  readonly section: string;
}

interface Exceptions {
  /** True if it may be sent again when its response was lost: not where a second time would do a second thing. */
  readonly resendable?: boolean;
  /** True if it has the JSON content type even without a body. */
  readonly jsonType?: boolean;
  /** True for a list by cursor: each page has its items, and a link to the next one, in its body. */
  readonly isByCursor?: boolean;
  /** Field of the body whose value no error may repeat, or such values in it. */
  readonly secret?: string | ((body: object) => unknown);
}

/** One operation, with what a call of it needs to know. For lists, `result` is one item. */
export interface Operation<Result> extends OperationFacts, Exceptions {
  readonly result: z.ZodType<Result>;
}

export const nothing: z.ZodType<void> = z.void();

type Declaration = readonly [
  method: Method,
  path: string,
  scope: Scope | null,
  result: z.ZodType,
  exceptions?: Exceptions,
];

type Operations<Declared extends Readonly<Record<string, Declaration>>> = {
  readonly [Name in keyof Declared]: Operation<z.output<Declared[Name][3]>>;
};

export function operations<const Declared extends Readonly<Record<string, Declaration>>>(
  section: string,
  declared: Declared,
): Operations<Declared> {
  const entries = Object.entries(declared).map(([name, [method, path, scope, result, exceptions]]) => {
    const facts = { id: `${section}.${name}`, method, path, scope, section };
    return [name, { ...facts, result, resendable: method !== "POST", ...exceptions }];
  });
  // The same names, each with what its declaration says; Object.fromEntries loses that knowledge.
  return Object.fromEntries(entries) as Operations<Declared>;
}

/** The body of a change: any field of the body may be left out, and then stays as it is. */
export type BodyChange<Body> = { [Name in keyof Body]?: Body[Name] | undefined };
