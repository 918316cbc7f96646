import { z } from "zod";
import { type Call, deletion, listing, newerSection, operation, reading } from "./http/operation.js";
import { choice, clearableText, flag, text } from "./model/body.js";
import * as model from "./model/entity.js";
import { forbidden, found, Refusal, validationFailed } from "./model/refusals.js";

interface Provider {
  readonly name: string;
  /** How many an organization has at most. */
  readonly most: number;
  readonly settings: Readonly<Record<string, z.ZodType>>;
  readonly required: readonly string[];
  readonly initial?: Readonly<Record<string, unknown>>;
  /** Settings that no read returns. */
  readonly omitted?: readonly string[];
  /** Settings of which reads show the end. */
  readonly masked?: readonly string[];
  readonly fixed?: readonly string[];
  readonly isOfEnterprise?: true;
}

const map = z.record(z.string(), z.string());
const optional = { include_build_meta_data: flag, tls_verify: flag, datadog_site: text, service_name: text };
const region = ["aws_region", "aws_account_id"];

const providers: Readonly<Record<string, Provider>> = {
  webhook: {
    ...{ name: "Webhook", most: 15, required: ["url"] },
    settings: {
      ...{ url: z.url(), token: text, token_mode: choice(["token", "signature"]), version: z.int() },
      ...{ events: z.array(z.string()), tls_verify: optional.tls_verify },
    },
    initial: { token_mode: "token", version: 3, events: [], tls_verify: true },
  },
  slack: {
    ...{ name: "Slack", most: 50, required: ["url"], omitted: ["url"] },
    settings: { url: z.url(), theme: choice(["text", "emoji"]) },
  },
  aws_event_bridge: {
    ...{ name: "Amazon EventBridge", most: 1, required: region, fixed: region, masked: ["aws_account_id"] },
    settings: {
      aws_region: text,
      aws_account_id: z.string().regex(/^\d{12}$/, { error: "must have 12 digits" }),
      include_build_meta_data: optional.include_build_meta_data,
    },
    isOfEnterprise: true,
  },
  datadog_pipeline_visibility: {
    ...{ name: "Datadog Pipeline Visibility", most: 5, required: ["api_key"], masked: ["api_key"] },
    settings: { api_key: text, datadog_site: optional.datadog_site, datadog_tags: z.string() },
    initial: { datadog_site: "datadoghq.com" },
    isOfEnterprise: true,
  },
  open_telemetry_tracing: {
    ...{ name: "OpenTelemetry Tracing", most: 5, required: ["endpoint"], omitted: ["headers"] },
    settings: {
      ...{ endpoint: z.url(), service_name: optional.service_name },
      ...{ headers: map, resource_attributes: map, tracestate: map },
    },
    initial: { service_name: "buildkite" },
    isOfEnterprise: true,
  },
  // A browser connects these.
  slack_workspace: { name: "Slack Workspace", most: 0, required: [], settings: {} },
  linear: { name: "Linear", most: 0, required: [], settings: {} },
};

const STATES = "passed fixed failed blocked canceled failing".split(" ").map((state) => `build_${state}`);
const buildStates = z.record(z.string(), z.boolean());
type Settings = Readonly<Record<string, unknown>>;

const fields = {
  id: model.uuid,
  graphql_id: z.null(),
  url: model.apiUrl(({ id }: { id: string }) => `/services/${id}`),
  provider: model.keptAs(z.object({ id: z.string(), name: z.string() }), (id: string) => {
    return { id, name: providers[id]?.name ?? id };
  }),
  description: model.optionalText,
  enabled: z.boolean(),
  scope: z.string(),
  scope_uuids: model.keptAs(z.array(z.string()), (ids: readonly string[], { data, variations }) => {
    const exists = (id: string) => [data.pipelines, data.teams, data.clusters].some((all) => all.get(id));
    return variations.deletedInScope === "kept" ? [...ids] : ids.filter(exists);
  }),
  branch_configuration: z.string(),
  build_states: buildStates,
  settings: model.derived(z.record(z.string(), z.unknown()), (one: Kept, { variations }) =>
    Object.fromEntries(
      Object.entries(one.stored_settings).flatMap(([key, value]) => {
        const { omitted = [], masked = [] } = providers[one.provider] ?? {};
        if (omitted.includes(key)) return [];
        return [[key, masked.includes(key) ? maskOf(String(value), variations.maskedSettings) : value]];
      }),
    ),
  ),
  created_at: model.timestamp,
  created_by: model.user,
};

interface Kept {
  readonly provider: string;
  /** With the secrets. */
  readonly stored_settings: Settings;
}

/** A notification service, which sends nothing here. */
export interface NotificationServiceRecord extends model.RecordOf<typeof fields>, Kept {
  readonly provider: string;
}

const service = model.entity<NotificationServiceRecord>("NotificationService", fields);

const settable = {
  scope: choice(["all", "some_projects", "some_teams", "some_clusters"]),
  scope_uuids: z.array(z.uuid({ error: "must hold UUIDs" }).toLowerCase(), { error: "must be an array" }),
  description: clearableText,
  branch_configuration: z.string().nullable(),
  build_states: buildStates,
  settings: z.record(z.string(), z.unknown(), { error: "must be an object" }),
  provider: text,
};
const { provider, settings, ...others } = settable;

const collection = "/v2/organizations/{org_slug}/services";
const single = `${collection}/{uuid}`;
const unknown = { error: "has a field that can't be written" };

export const notificationServices = newerSection("notificationServices", "notification_services", {
  list: listing(
    collection,
    "List notification services, the oldest first",
    service,
    (call) => {
      requireAdmin(call);
      return call.data.notificationServices.list();
    },
    { list: "cursor" },
  ),
  get: reading(single, "Get a notification service", service, findService),
  create: operation("POST", collection, "Create a notification service", {
    body: z.strictObject({ provider, settings, ...z.object(others).partial().shape }, unknown),
    response: service,
    errors: { 422: "validation fails, or the plan lacks the provider" },
    run: (call) => {
      requireAdmin(call);
      const { body, data, made, variations } = call;
      const { most = 0, isOfEnterprise, required, initial, name } = providers[body.provider] ?? {};
      if (required === undefined) throw validationFailed("Provider is not known");
      if (most === 0) throw validationFailed(`${name} must be connected in the web interface`);
      if (isOfEnterprise && !variations.enterprisePlan)
        throw new Refusal(422, `Please upgrade your plan to use ${name}`);
      if (data.notificationServices.count("provider", body.provider) >= most)
        throw validationFailed(`You can have at most ${most} ${name} services`);
      const missing = required.filter((key) => body.settings[key] == null);
      if (missing.length > 0)
        throw validationFailed(...missing.map((key) => `Settings ${key} can't be blank`));
      const { scope = "all", description = null, branch_configuration } = body;
      const own = {
        webhook: { token: crypto.randomUUID().replaceAll("-", "") },
        aws_event_bridge: { event_source_name: `aws.partner/buildkite.com/${made.id}` },
      };
      const stored: Settings = { ...initial, ...Object(Object(own)[body.provider]) };
      return data.notificationServices.insert({
        ...{ ...made, provider: body.provider, graphql_id: null, enabled: true, description, scope },
        scope_uuids: scopeOf(call, scope, body.scope_uuids ?? []),
        branch_configuration: branch_configuration ?? "",
        build_states: { ...Object.fromEntries(STATES.map((state) => [state, true])), ...body.build_states },
        stored_settings: checked(body.provider, stored, body.settings, variations.maskedSettings, true),
      });
    },
  }),
  update: operation("PATCH", single, "Update a notification service", {
    body: z.strictObject(settable, unknown).partial(),
    response: service,
    run: (call) => {
      const { body, data, variations } = call;
      const old = findService(call);
      const { provider: to = old.provider, settings: given = {}, build_states, ...rest } = body;
      if (to !== old.provider) throw validationFailed("Provider can't be changed");
      const scope = body.scope ?? old.scope;
      const states = variations.buildStatesUpdate === "merged" ? old.build_states : {};
      return data.notificationServices.update(old.id, {
        ...rest,
        // An unchanged list may name what is gone.
        scope_uuids:
          body.scope || body.scope_uuids
            ? scopeOf(call, scope, body.scope_uuids ?? old.scope_uuids)
            : undefined,
        branch_configuration: body.branch_configuration === null ? "" : body.branch_configuration,
        build_states: build_states && { ...states, ...build_states },
        stored_settings: checked(to, old.stored_settings, given, variations.maskedSettings),
      });
    },
  }),
  delete: deletion(single, "Delete a notification service", "the provider's side can't be removed", (call) =>
    call.data.notificationServices.delete(findService(call).id),
  ),
  enable: operation("PUT", `${single}/enable`, "Enable a notification service", {
    response: service,
    run: (call) => call.data.notificationServices.update(findService(call).id, { enabled: true }),
  }),
  disable: operation("PUT", `${single}/disable`, "Disable a notification service", {
    response: service,
    run: (call) => call.data.notificationServices.update(findService(call).id, { enabled: false }),
  }),
});

function requireAdmin({ token }: Call): void {
  if (!token.admin) throw forbidden();
}

function findService(call: Call<"uuid">): NotificationServiceRecord {
  requireAdmin(call);
  return found(call.data.notificationServices.get(call.params.uuid.toLowerCase()), "notification service");
}

function scopeOf({ data }: Call, scope: string, ids: readonly string[]): string[] {
  const kinds = { some_projects: "pipelines", some_teams: "teams", some_clusters: "clusters" } as const;
  const kind = Object.entries(kinds).find(([name]) => name === scope)?.[1];
  if (kind === undefined && ids.length > 0) throw validationFailed("Scope uuids must be empty with all");
  if (kind !== undefined && !ids.every((id) => data[kind].get(id)))
    throw validationFailed(`Scope uuids must be ${kind} of this organization`);
  return [...new Set(ids)];
}

function maskOf(value: string, form: "ending" | "whole"): string {
  const shown = form === "whole" ? 0 : 4;
  return `${"X".repeat(Math.max(0, value.length - shown))}${shown ? value.slice(-shown) : ""}`;
}

/** Returns settings with those that are given. A mask that is sent back keeps the value; any other text replaces it. */
function checked(
  id: string,
  stored: Settings,
  given: Settings,
  form: "ending" | "whole",
  isNew?: true,
): Settings {
  const { settings = {}, fixed = [], masked = [] } = providers[id] ?? {};
  const next = { ...stored };
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(settings, key)) throw validationFailed(`Settings ${key} is not known`);
    const isMask = masked.includes(key) && key in stored && value === maskOf(String(stored[key]), form);
    if (isMask) continue;
    const problem = settings[key]?.safeParse(value).error?.issues[0]?.message;
    if (problem !== undefined) throw validationFailed(`Settings ${key} ${problem}`);
    if (fixed.includes(key) && !isNew && value !== stored[key])
      throw validationFailed(`Settings ${key} can't be changed`);
    if (key === "version" && Number(value) < Number(isNew ? 3 : stored.version))
      throw validationFailed("Settings version can't be lowered");
    next[key] = value;
  }
  return next;
}
