import { z } from "zod";
import { type Call, deletion, listing, newerSection, operation, reading } from "./http/operation.js";
import { text } from "./model/body.js";
import * as model from "./model/entity.js";
import { forbidden, found, Refusal } from "./model/refusals.js";
import type { StoredRecord } from "./store/collection.js";

const TYPES = ["pipeline.trigger_build.pipeline", "pipeline.artifacts_read.pipeline"];
/** Variables of conditions, by the action. */
const VARIABLES: Readonly<Record<string, RegExp>> = {
  trigger_build: /^(?:source\.build|target\.trigger)\.\w/,
  artifacts_read: /^(?:(?:source|target)\.build\.\w|source\.request\.query$)/,
};

const actionOf = (type: string) => type.split(".")[1] ?? "";

const fields = {
  uuid: model.derived(model.uuid, ({ id }: StoredRecord) => id),
  graphql_id: model.graphqlId("Rule"),
  organization_uuid: model.derived(
    model.uuid,
    (_, { data, organization }) => data.organizations.find("slug", organization)?.id ?? "",
  ),
  url: model.apiUrl(({ id }: StoredRecord) => `/rules/${id}`),
  type: z.string(),
  source_type: model.derived(z.string(), () => "pipeline"),
  source_uuid: model.uuid,
  target_type: model.derived(z.string(), () => "pipeline"),
  target_uuid: model.uuid,
  effect: model.derived(z.string(), () => "allow"),
  action: model.derived(z.string(), ({ type }: { type: string }) => actionOf(type)),
  created_at: model.timestamp,
  created_by: model.user,
};

/** A rule, with what no response shows. */
export interface OrganizationRuleRecord extends model.RecordOf<typeof fields>, StoredRecord {
  readonly conditions: readonly string[];
  readonly description: string | null;
}

const rule = model.entity<OrganizationRuleRecord>("OrganizationRule", fields);

const collection = "/v2/organizations/{org_slug}/rules";
const single = `${collection}/{uuid}`;

export const organizationRules = newerSection("organizationRules", "rules", {
  list: listing(collection, "List the rules of an organization", rule, (call) => {
    requireAdmin(call);
    return call.data.organizationRules.list();
  }),
  get: reading(single, "Get a rule", rule, findRule),
  create: operation("POST", collection, "Create a rule", {
    body: z.object({
      type: text,
      value: z.object({
        source_pipeline: z.string().optional(),
        target_pipeline: z.string().optional(),
        conditions: z.array(z.string()).optional(),
      }),
      description: z.string().nullish(),
    }),
    response: rule,
    errors: { 422: "validation fails, or an equal rule exists" },
    run: (call) => {
      requireAdmin(call);
      const { body, data, made, variations } = call;
      const { type, value, description = null } = body;
      if (!TYPES.includes(type)) throw new Refusal(422, "Rule type is unknown");
      const source_uuid = pipelineOf(call, type, "source_pipeline", value.source_pipeline);
      const target_uuid = pipelineOf(call, type, "target_pipeline", value.target_pipeline);
      const isEqual = (one: OrganizationRuleRecord) =>
        one.type === type && one.source_uuid === source_uuid && one.target_uuid === target_uuid;
      if (variations.duplicateRules === "refused" && data.organizationRules.list().some(isEqual))
        throw new Refusal(422, `${type}: rule already exists`);
      const conditions = value.conditions ?? [];
      for (const condition of conditions) checkCondition(type, condition);
      return data.organizationRules.insert({
        ...made,
        type,
        source_uuid,
        target_uuid,
        conditions,
        description,
      });
    },
  }),
  delete: deletion(single, "Delete a rule", "the service can't delete it", (call) =>
    call.data.organizationRules.delete(findRule(call).id),
  ),
});

function requireAdmin({ token }: Call): void {
  if (!token.admin) throw forbidden();
}

function findRule(call: Call<"uuid">): OrganizationRuleRecord {
  requireAdmin(call);
  return found(call.data.organizationRules.get(call.params.uuid.toLowerCase()), "rule");
}

function pipelineOf({ data: { pipelines } }: Call, type: string, name: string, given = ""): string {
  if (given === "") throw new Refusal(422, `${type}: missing ${name}`);
  const pipeline = pipelines.get(given.toLowerCase()) ?? pipelines.find("slug", given);
  if (pipeline === undefined) throw new Refusal(422, `${type}: ${name} not found`);
  return pipeline.id;
}

function checkCondition(type: string, condition: string): void {
  const names = condition.replaceAll(/"[^"]*"|'[^']*'|\/[^/]*\//g, "").match(/\b(?:source|target)[\w.]*/g);
  const wrong = names?.find((name) => !VARIABLES[actionOf(type)]?.test(name));
  if (names === null || wrong !== undefined)
    throw new Refusal(422, `${type}: conditional is invalid:\n\`${wrong ?? condition}\` is not a variable`);
}
