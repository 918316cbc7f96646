import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { type Call, operation, section } from "./http/operation.js";
import { clearableColor, clearableText, optionalFlag, optionalIds, text, unlessGiven } from "./model/body.js";
import { type Entity, entity, type RecordOf, type View } from "./model/entity.js";
import * as field from "./model/fields.js";
import { normalized, slugFor, slugOnRename } from "./model/normalize.js";
import { found, validationFailed } from "./model/refusals.js";
import type { Variations } from "./model/variations.js";
import type { OrganizationData } from "./store/organization-data.js";

interface Suite {
  readonly slug: string;
}

const fields = {
  id: field.uuid,
  graphql_id: field.graphqlId("Suite"),
  slug: z.string(),
  name: z.string(),
  url: field.analyticsUrl(({ slug }: Suite) => `/suites/${slug}`),
  web_url: field.webUrl(({ slug }: Suite) => `/analytics/suites/${slug}`),
  default_branch: z.string(),
};

const createFields = {
  application_name: field.optionalText,
  color: field.optionalText,
  emoji: field.optionalText,
};

export interface SuiteRecord extends RecordOf<typeof fields & typeof createFields> {
  /** The secret with which results are uploaded. */
  readonly api_token: string;
  readonly team_ids: readonly string[];
  readonly created_at: string;
}

const suite = entity<SuiteRecord>("Suite", { ...fields, ...createFields, api_token: z.string().optional() });
const suiteInBrief = entity<SuiteRecord>("SuiteInBrief", fields);

const asksForToken = ({ query, variations }: Call) =>
  variations.showApiTokenOnRead && query.flag("show_api_token");

/** Describes the responses that show a suite, some of them with the fields of a creation or with the API token. */
function shownSuite<Body>(
  hasCreateFields: (variations: Variations) => boolean,
  hasToken: (call: Call<string, Body>) => boolean,
): Entity<SuiteRecord, Call<string, Body>> {
  return {
    schema: suite.schema,
    show: (call, record) => ({
      ...(hasCreateFields(call.variations) ? suite : suiteInBrief).show(call, record),
      api_token: hasToken(call) ? record.api_token : undefined,
    }),
  };
}

const createdSuite = shownSuite<{ show_api_token: boolean }>(
  () => true,
  ({ body }) => body.show_api_token,
);
const singleSuite = shownSuite((set) => set.suiteReadReturnsCreateFields !== false, asksForToken);
const listedSuite = shownSuite((set) => set.suiteReadReturnsCreateFields === true, asksForToken);

const required = { name: text(), default_branch: text() };
const clearable = { application_name: clearableText(), color: clearableColor(), emoji: clearableText() };
const createBody = z.object({ ...required, ...unlessGiven(clearable) });

const collection = "/v2/analytics/organizations/{org_slug}/suites";
const single = `${collection}/{suite_slug}`;

export const suites = section({
  group: "suites",
  number: "4.6",
  scopes: { read: "read_suites", write: "write_suites" },
  operations: {
    list: operation("GET", collection, "List test suites", {
      response: listedSuite,
      list: "paged",
      run: ({ data }) => data.suites.list(),
    }),
    get: operation("GET", single, "Get a test suite", {
      query: { show_api_token: "Whether the answer has the suite's API token." },
      response: singleSuite,
      run: (call) => findSuite(call, call.params.suite_slug),
    }),
    create: operation("POST", collection, "Create a test suite", {
      body: createBody.extend({
        show_api_token: optionalFlag(false),
        team_ids: optionalIds(),
        teams_ids: optionalIds(),
      }),
      status: 201,
      response: createdSuite,
      run: (call) => {
        const { body, data, variations, now } = call;
        const team_ids = checkTeams(call);
        const content = normalized(createBody.parse(body), variations);
        return insertSuite(data, content, { team_ids, created_at: now });
      },
    }),
    update: operation("PATCH", single, "Update a test suite", {
      body: z.object({ ...required, ...clearable }).partial(),
      response: singleSuite,
      run: (call) => {
        const { body, data, params, variations } = call;
        const found = findSuite(call, params.suite_slug);
        const slug = slugOnRename(variations.suiteSlugOnRename, found, body.name, data.suites);
        return data.suites.update(found.id, { ...normalized(body, variations), slug });
      },
    }),
    delete: operation("DELETE", single, "Delete a test suite and its runs", {
      run: (call) => call.data.suites.delete(findSuite(call, call.params.suite_slug).id),
    }),
  },
});

export function insertSuite(
  data: OrganizationData,
  content: z.input<typeof createBody>,
  made: Pick<SuiteRecord, "created_at"> & Partial<SuiteRecord>,
): SuiteRecord {
  return data.suites.insert({
    id: randomUUID(),
    ...createBody.parse(content),
    slug: slugFor(content.name, data.suites),
    team_ids: [],
    api_token: randomBytes(16).toString("hex"),
    ...made,
  });
}

/** Returns the suite a path names by its slug. @throws {Refusal} 404. */
export function findSuite({ data }: View, slug: string): SuiteRecord {
  return found(data.suites.find("slug", slug), "suite");
}

function checkTeams(
  call: Call<string, { team_ids?: string[] | null | undefined; teams_ids?: string[] | null | undefined }>,
): readonly string[] {
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
