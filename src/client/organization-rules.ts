import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { nothing, operations } from "./api/operation.js";

const organizationRuleSchema = entity({
  required: {
    /** UUID. */
    uuid: identifier,
    /** What it allows: `pipeline.trigger_build.pipeline`, `pipeline.artifacts_read.pipeline`, or another type. */
    type: identifier,
  },
  optional: {
    /** UUID of the pipeline that may do it. */
    source_uuid: text,
    /** UUID of the pipeline that it is done to. */
    target_uuid: text,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** UUID of the organization. */
    organization_uuid: text,
    /** API URL. */
    url: text,
    /** `pipeline`. */
    source_type: text,
    /** `pipeline`. */
    target_type: text,
    /** `allow`. */
    effect: text,
    /** `trigger_build` or `artifacts_read`. */
    action: text,
    /** ISO 8601, UTC. */
    created_at: text,
    /** User who created it. */
    created_by: userSchema.nullable(),
  },
});

/** A rule of the organization, by which one pipeline may use another. The API returns neither conditions nor description. */
export interface OrganizationRule extends z.output<typeof organizationRuleSchema> {}

/** A new rule. The API has no way to change one. */
export interface OrganizationRuleCreate {
  /** `pipeline.trigger_build.pipeline` or `pipeline.artifacts_read.pipeline`. */
  type: string;
  /** Pipelines by UUID or slug, and conditions, all of which must hold. What doesn't meet them is forbidden. */
  value: {
    source_pipeline: string;
    target_pipeline: string;
    conditions?: readonly string[] | undefined;
  };
  /** Purpose of the rule. */
  description?: string | undefined;
}

const path = "/v2/organizations/{org_slug}/rules";
const one = `${path}/{uuid}` as const;

export const organizationRuleOperations = operations("organizationRules", {
  list: ["GET", path, "read_rules", organizationRuleSchema],
  get: ["GET", one, "read_rules", organizationRuleSchema],
  create: ["POST", path, "write_rules", organizationRuleSchema],
  delete: ["DELETE", one, "write_rules", nothing],
});

/** Rules of the organization. */
export class OrganizationRules extends Section {
  /**
   * Lists the rules. Scope: `read_rules`.
   * @example const rules = await client.organizationRules.list().all();
   */
  list(options?: RequestOptions): List<OrganizationRule> {
    return this.api.list(organizationRuleOperations.list, [], options);
  }

  /**
   * Reads one rule. Scope: `read_rules`.
   * @example const { source_uuid } = await client.organizationRules.get(rule.uuid);
   */
  get(ruleId: string, options?: RequestOptions): Promise<OrganizationRule> {
    return this.api.call(organizationRuleOperations.get, [ruleId], options);
  }

  /**
   * Creates a rule. Scope: `write_rules`.
   * @throws ValidationError if the API refuses a value, such as a condition that it can't read.
   * @throws ConnectionError, TimeoutError, ServerError: the rule may have been created; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const rule = await client.organizationRules.create({
   *   type: "pipeline.trigger_build.pipeline",
   *   value: { source_pipeline: "storefront", target_pipeline: "deploy" },
   * });
   * ```
   */
  create(body: OrganizationRuleCreate, options?: RequestOptions): Promise<OrganizationRule> {
    return this.api.call(organizationRuleOperations.create, [], options, body);
  }

  /**
   * Deletes a rule. Scope: `write_rules`.
   * @throws NotFoundError if there is no such rule; if `attempts` is above 1, an earlier attempt may have deleted it.
   * @throws ValidationError if the API refuses it.
   * @example await client.organizationRules.delete(rule.uuid);
   */
  delete(ruleId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(organizationRuleOperations.delete, [ruleId], options);
  }
}
