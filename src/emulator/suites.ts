import { randomBytes } from "node:crypto";
import { stringify } from "yaml";
import { z } from "zod";
import { type Call, deletion, listing, operation, reading, section } from "./http/operation.js";
import { clearableColor, clearableText, optionalFlag, optionalIds, text, unlessGiven } from "./model/body.js";
import * as model from "./model/entity.js";
import { normalized, slugFor, slugOnRename } from "./model/normalize.js";
import { found, validationFailed } from "./model/refusals.js";
import type { Variations } from "./model/variations.js";
import type { OrganizationData } from "./store/collection.js";

const path = ({ slug }: { readonly slug: string }) => `/suites/${slug}`;

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("Suite"),
  slug: z.string(),
  name: z.string(),
  url: model.analyticsUrl(path),
  web_url: model.webUrl((suite: { slug: string }) => `/analytics${path(suite)}`),
  default_branch: z.string(),
  organization_id: model.derived(model.uuid.optional(), (_, { data, organization, variations }) =>
    variations.newerApi ? data.organizations.find("slug", organization)?.id : undefined,
  ),
  oidc_policy: model.derived(
    z.string().nullish(),
    ({ oidc_policy = null }: { oidc_policy?: string | null }, { variations }) =>
      variations.newerApi ? oidc_policy : undefined,
  ),
};

const createFields = {
  application_name: model.optionalText,
  color: model.optionalText,
  emoji: model.optionalText,
};

export interface SuiteRecord extends model.RecordOf<typeof fields & typeof createFields> {
  /** The secret with which results are uploaded. */
  readonly api_token: string;
  readonly created_at: string;
  readonly oidc_policy?: string | null;
}

type ShownSuite = Omit<SuiteRecord, "api_token"> & { readonly api_token?: string };

const secret = { api_token: z.string().optional() };
const suite = model.entity<ShownSuite>("Suite", { ...fields, ...createFields, ...secret });
const suiteInBrief = model.entity<ShownSuite>("SuiteInBrief", { ...fields, ...secret });

const shownSuite = (hasCreateFields: (variations: Variations) => boolean) => ({
  schema: suite.schema,
  show: (view: model.View, record: ShownSuite) =>
    (hasCreateFields(view.variations) ? suite : suiteInBrief).show(view, record),
});

const singleSuite = shownSuite((set) => set.suiteReadReturnsCreateFields !== false);
const listedSuite = shownSuite((set) => set.suiteReadReturnsCreateFields === true);

function withToken(isAsked: boolean, { api_token, ...others }: SuiteRecord): ShownSuite {
  return isAsked ? { ...others, api_token } : others;
}

const asksForToken = ({ query, variations }: Call) =>
  variations.showApiTokenOnRead && query.flag("show_api_token");

const required = { name: text, default_branch: text };
/** YAML, or a list of statements, which is kept as YAML. */
const oidcPolicy = z
  .union([z.string(), z.array(z.unknown())], { error: "must be a string or an array" })
  .nullable()
  .transform((policy) => (typeof policy === "string" ? policy || null : policy && stringify(policy)));

const clearable = {
  oidc_policy: oidcPolicy,
  application_name: clearableText,
  color: clearableColor,
  emoji: clearableText,
};
const createBody = z.object({ ...required, ...unlessGiven(clearable) });
const teamsBody = z.object({ team_ids: optionalIds, teams_ids: optionalIds });

const collection = "/v2/analytics/organizations/{org_slug}/suites";
const single = `${collection}/{suite_slug}`;

export const suites = section("suites", "suites", {
  list: listing(collection, "List test suites", listedSuite, (call) =>
    call.data.suites.list().map((record) => withToken(asksForToken(call), record)),
  ),
  get: reading(
    single,
    "Get a test suite",
    singleSuite,
    (call) => withToken(asksForToken(call), findSuite(call, call.params.suite_slug)),
    { query: { show_api_token: "Whether the answer has the suite's API token." } },
  ),
  create: operation("POST", collection, "Create a test suite", {
    body: createBody.extend({ show_api_token: optionalFlag(false), ...teamsBody.shape }),
    added: ["oidc_policy"],
    response: suite,
    run: (call) => {
      const { body, data, variations, now } = call;
      const team_ids = checkTeams(call);
      const content = normalized(createBody.parse(body), variations);
      const made = insertSuite(data, content, { created_at: now });
      for (const team_id of team_ids) {
        const pair = { id: crypto.randomUUID(), team_id, suite_id: made.id, created_at: now };
        data.teamSuites.insert({ ...pair, access_level: ["read", "edit"] });
      }
      return withToken(body.show_api_token, made);
    },
  }),
  update: operation("PATCH", single, "Update a test suite", {
    body: z.object({ ...required, ...clearable, show_api_token: optionalFlag(undefined) }).partial(),
    added: ["oidc_policy", "show_api_token"],
    response: singleSuite,
    run: (call) => {
      const { data, params, variations } = call;
      const { show_api_token = asksForToken(call), ...body } = call.body;
      const found = findSuite(call, params.suite_slug);
      const slug = slugOnRename(variations.suiteSlugOnRename, found, body.name, data.suites);
      const changed = data.suites.update(found.id, { ...normalized(body, variations), slug });
      return withToken(show_api_token, changed);
    },
  }),
  delete: deletion(single, "Delete a test suite and its runs", null, (call) =>
    call.data.suites.delete(findSuite(call, call.params.suite_slug).id),
  ),
});

export function insertSuite(
  data: OrganizationData,
  content: z.input<typeof createBody>,
  made: Pick<SuiteRecord, "created_at"> & Partial<SuiteRecord>,
): SuiteRecord {
  return data.suites.insert({
    id: crypto.randomUUID(),
    ...createBody.parse(content),
    slug: slugFor(content.name, data.suites),
    api_token: randomBytes(16).toString("hex"),
    ...made,
  });
}

export function findSuite({ data }: model.View, slug: string): SuiteRecord {
  return found(data.suites.find("slug", slug), "suite");
}

function checkTeams(call: Call<string, z.output<typeof teamsBody>>): readonly string[] {
  const { body, data, variations } = call;
  const { suiteTeamsField } = variations;
  const ids =
    suiteTeamsField === "both" ? (body.team_ids ?? body.teams_ids ?? []) : (body[suiteTeamsField] ?? []);
  if (ids.length === 0 && variations.suiteTeamsRequired) throw validationFailed("Teams can't be blank");
  if (ids.some((id) => data.teams.get(id) === undefined)) {
    throw validationFailed("Teams must be teams of this organization");
  }
  return ids;
}
