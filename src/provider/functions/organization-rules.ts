import type * as api from "../../client/index.js";
import { OrganizationRule } from "../resources/organization-rule.js";
import type { NoArguments } from "./invoke/arguments.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a rule. */
export interface GetOrganizationRuleArgs {
  /** UUID. */
  id: string;
}

/** A rule, as the API returns it: without its conditions. */
export interface GetOrganizationRuleResult
  extends KindResult<OrganizationRule, api.OrganizationRule, "conditions"> {}

export type { NoArguments as GetOrganizationRulesArgs };

/** The rules of an organization. */
export interface GetOrganizationRulesResult extends InOrganization {
  /** In the order of the API. */
  readonly organizationRules: GetOrganizationRuleResult[];
}

const functions = functionsOf<GetOrganizationRuleResult>(OrganizationRule.kind);

/**
 * Looks up a rule by its id, without its conditions. Scope: `read_rules`.
 * @example const { targetPipelineId } = await getOrganizationRule({ id });
 */
export const getOrganizationRule = functions.one<GetOrganizationRuleArgs>(["id"]);

/**
 * Lists the rules of the organization, without their conditions. Scope: `read_rules`.
 * @example
 * ```ts
 * const { organizationRules } = await getOrganizationRules();
 * const triggers = organizationRules.filter(({ action }) => action === "trigger_build");
 * ```
 */
export const getOrganizationRules = functions.all<NoArguments | undefined, GetOrganizationRulesResult>();
