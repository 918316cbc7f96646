import { randomBytes } from "node:crypto";
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
};

const createFields = {
  application_name: model.optionalText,
  color: model.optionalText,
  emoji: model.optionalText,
};

export interface SuiteRecord extends model.RecordOf<typeof fields & typeof createFields> {
  /** The secret with which results are uploaded. */
  readonly api_token: string;
  readonly team_ids: readonly string[];
  readonly created_at: string;
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
const clearable = { application_name: clearableText, color: clearableColor, emoji: clearableText };
const createBody = z.object({ ...required, ...unlessGiven(clearable) });
const teamsBody = z.object({ team_ids: optionalIds, teams_ids: optionalIds });

const collection = "/v2/analytics/organizations/{org_slug}/suites";
const single = `${collection}/{suite_slug}`;

export const suites = section("suites", "4.6", "suites", {
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
    response: suite,
    run: (call) => {
      const { body, data, variations, now } = call;
      const team_ids = checkTeams(call);
      const content = normalized(createBody.parse(body), variations);
      const made = insertSuite(data, content, { team_ids, created_at: now });
      return withToken(body.show_api_token, made);
    },
  }),
  update: operation("PATCH", single, "Update a test suite", {
    body: z.object({ ...required, ...clearable }).partial(),
    response: singleSuite,
    run: (call) => {
      const { body, data, params, variations } = call;
      const found = findSuite(call, params.suite_slug);
      const slug = slugOnRename(variations.suiteSlugOnRename, found, body.name, data.suites);
      const changed = data.suites.update(found.id, { ...normalized(body, variations), slug });
      return withToken(asksForToken(call), changed);
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
    team_ids: [],
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
