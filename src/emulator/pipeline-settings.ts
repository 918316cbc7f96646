import { z } from "zod";
import { type Call, newerSection, operation, type Response, reading } from "./http/operation.js";
import { clearableId } from "./model/body.js";
import * as model from "./model/entity.js";
import { forbidden, found, validationFailed } from "./model/refusals.js";
import type { OrganizationRecord, PipelineSettingsRecord } from "./organizations.js";

type Switch = "hosted_agents_terminal_access" | "public_pipeline_creation";

const settingsOf = ({ pipeline_settings: settings = {} }: OrganizationRecord) => settings;

const value = <Shown>(schema: z.ZodType<Shown>, show: (settings: PipelineSettingsRecord) => Shown) =>
  model.derived(schema, (one: OrganizationRecord) => show(settingsOf(one)));

const minutes = (name: `${"default" | "maximum"}_timeout_in_minutes` | "scheduled_job_expiry_in_minutes") =>
  value(z.int().nullable(), (settings) => settings[name] ?? null);

const switchedOn = (name: Switch, usual: boolean) =>
  model.derived(
    z.object({
      enabled: z.boolean(),
      enabled_at: model.timestamp.nullable(),
      enabled_by: z.object({ id: model.uuid, name: z.string() }).nullable(),
    }),
    (one: OrganizationRecord, { data }) => {
      const on = settingsOf(one)[name];
      const user = data.users.get(on?.by ?? "");
      return {
        enabled: on === undefined ? usual : on !== null,
        enabled_at: on?.at ?? null,
        enabled_by: user === undefined ? null : { id: user.id, name: user.name },
      };
    },
  );

const settings: Response<OrganizationRecord> = model.entity<OrganizationRecord>("PipelineSettings", {
  default_branch: value(z.string(), ({ default_branch = "main" }) => default_branch),
  default_cluster_id: value(model.uuid.nullable(), ({ default_cluster_id = null }) => default_cluster_id),
  default_timeout_in_minutes: minutes("default_timeout_in_minutes"),
  maximum_timeout_in_minutes: minutes("maximum_timeout_in_minutes"),
  scheduled_job_expiry_in_minutes: minutes("scheduled_job_expiry_in_minutes"),
  hosted_agents_terminal_access: switchedOn("hosted_agents_terminal_access", false),
  public_pipeline_creation: switchedOn("public_pipeline_creation", true),
  url: model.apiUrl(() => "/pipeline-settings"),
});

const path = "/v2/organizations/{org_slug}/pipeline-settings";
const limit = (least: number, most: number) =>
  z.int({ error: "must be a number of minutes" }).min(least).max(most).nullable();

export const pipelineSettings = newerSection("pipelineSettings", "organization_settings", {
  get: reading(path, "Get the settings of all pipelines", settings, administered),
  update: operation("PATCH", path, "Change the settings of all pipelines", {
    body: z
      .object({
        default_branch: z.string({ error: "must be a string" }),
        default_cluster_id: clearableId,
        default_timeout_in_minutes: limit(0, 43_200),
        maximum_timeout_in_minutes: limit(0, 43_200),
        scheduled_job_expiry_in_minutes: limit(60, 43_200),
      })
      .partial(),
    response: settings,
    run: (call) => {
      const { body, data } = call;
      const { default_cluster_id: cluster } = body;
      const old = settingsOf(administered(call));
      if (cluster && data.clusters.get(cluster) === undefined)
        throw validationFailed("Default cluster must be a cluster of this organization");
      const { default_timeout_in_minutes: usual, maximum_timeout_in_minutes: most } = { ...old, ...body };
      if (usual && most && usual > most)
        throw validationFailed("Default timeout in minutes must be at most the maximum timeout");
      return changed(call, body);
    },
  }),
  enableHostedAgentsSsh: turning("PUT", "hosted-agents-ssh", "hosted_agents_terminal_access"),
  disableHostedAgentsSsh: turning("DELETE", "hosted-agents-ssh", "hosted_agents_terminal_access"),
  enablePublicPipelines: turning("PUT", "public-pipelines", "public_pipeline_creation"),
  disablePublicPipelines: turning("DELETE", "public-pipelines", "public_pipeline_creation"),
});

/** Returns the organization of a request by one of its administrators. @throws {Refusal} 403. */
export function administered({ data, token, organization }: Call): OrganizationRecord {
  if (!token.admin) throw forbidden();
  return found(data.organizations.find("slug", organization), "organization");
}

function changed(call: Call, change: PipelineSettingsRecord): OrganizationRecord {
  const old = administered(call);
  return call.data.organizations.update(old.id, { pipeline_settings: { ...settingsOf(old), ...change } });
}

function turning(method: "PUT" | "DELETE", place: string, name: Switch) {
  const what = `Turn ${name.replaceAll("_", " ")} ${method === "PUT" ? "on" : "off"}`;
  return operation(method, `${path}/${place}`, what, {
    response: settings,
    run: (call) => {
      const on =
        method === "PUT"
          ? (settingsOf(administered(call))[name] ?? { at: call.now, by: call.token.user_id })
          : null;
      return changed(call, { [name]: on });
    },
  });
}
