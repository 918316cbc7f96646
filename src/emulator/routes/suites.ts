import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { showSuite, suiteSchema } from "../entities/suite.js";
import { notFound, validationFailed } from "../http/errors.js";
import { type Call, listing, type Operation, operation } from "../http/operation.js";
import type { OrganizationData } from "../store/organization-data.js";
import type { SuiteRecord } from "../store/records.js";
import {
  changedText,
  clearableColor,
  clearableText,
  optionalFlag,
  optionalIds,
  requiredText,
} from "../validation/fields.js";
import { keptColor, keptEmoji } from "../validation/normalize.js";
import { slugFor } from "../validation/slug.js";
import { defined } from "./defined.js";

const collection = "/v2/analytics/organizations/{org_slug}/suites";
const single = `${collection}/{suite_slug}`;
const section = "4.6";

const createBody = z.object({
  name: requiredText(),
  default_branch: requiredText(),
  show_api_token: optionalFlag(),
  team_ids: optionalIds(),
  teams_ids: optionalIds(),
  application_name: clearableText(),
  color: clearableColor(),
  emoji: clearableText(),
});

/** Section 4.6. */
export const suiteOperations: readonly Operation[] = [
  operation({
    id: "suites.list",
    method: "GET",
    path: collection,
    section,
    scope: "read_suites",
    summary: "List test suites",
    response: suiteSchema,
    list: "pages",
    run: (call) => listing(call.data.suites.list(), (suite) => showRead(call, suite)),
  }),
  operation({
    id: "suites.get",
    method: "GET",
    path: single,
    section,
    scope: "read_suites",
    summary: "Get a test suite",
    query: { show_api_token: "Whether the answer has the suite's API token." },
    response: suiteSchema,
    run: (call) => showRead(call, findSuite(call.data, call.params.suite_slug)),
  }),
  operation({
    id: "suites.create",
    method: "POST",
    path: collection,
    section,
    scope: "write_suites",
    summary: "Create a test suite",
    body: createBody,
    status: 201,
    response: suiteSchema,
    errors: [{ status: 422, when: "validation fails" }],
    run: (call) => {
      const { body, data, view, variations, now } = call;
      const suite = data.suites.insert({
        id: randomUUID(),
        slug: slugFor(body.name, (slug) => data.suites.find("slug", slug) !== undefined),
        name: body.name,
        default_branch: body.default_branch,
        application_name: body.application_name ?? null,
        color: keptColor(body.color, variations) ?? null,
        emoji: keptEmoji(body.emoji, variations) ?? null,
        team_ids: checkTeams(call),
        api_token: randomBytes(16).toString("hex"),
        created_at: now,
      });
      return showSuite(view, suite, { createFields: true, apiToken: body.show_api_token === true });
    },
  }),
  operation({
    id: "suites.update",
    method: "PATCH",
    path: single,
    section,
    scope: "write_suites",
    summary: "Update a test suite",
    body: z.object({
      name: changedText(),
      default_branch: changedText(),
      application_name: clearableText(),
      color: clearableColor(),
      emoji: clearableText(),
    }),
    response: suiteSchema,
    errors: [{ status: 422, when: "validation fails" }],
    run: (call) => {
      const { body, data, params, variations } = call;
      const suite = findSuite(data, params.suite_slug);
      const renamed = body.name !== undefined && body.name !== suite.name;
      const isTaken = (slug: string) => {
        const holder = data.suites.find("slug", slug);
        return holder !== undefined && holder.id !== suite.id;
      };
      const fields = defined({
        ...body,
        color: keptColor(body.color, variations),
        emoji: keptEmoji(body.emoji, variations),
        slug:
          renamed && variations.suiteSlugOnRename === "changed"
            ? slugFor(body.name ?? suite.name, isTaken)
            : undefined,
      });
      return showRead(call, data.suites.update(suite.id, fields));
    },
  }),
  operation({
    id: "suites.delete",
    method: "DELETE",
    path: single,
    section,
    scope: "write_suites",
    summary: "Delete a test suite and its runs",
    status: 204,
    run: ({ data, params }) => {
      data.suites.delete(findSuite(data, params.suite_slug).id);
    },
  }),
];

/** The suite a path names by its slug. @throws {Refusal} 404. */
export function findSuite(data: OrganizationData, slug: string): SuiteRecord {
  const suite = data.suites.find("slug", slug);
  if (suite === undefined) throw notFound("suite");
  return suite;
}

function showRead({ view, query, variations }: Call<string, unknown>, suite: SuiteRecord): unknown {
  return showSuite(view, suite, {
    createFields: variations.suiteReadReturnsCreateFields,
    apiToken: variations.showApiTokenOnRead && query.flag("show_api_token"),
  });
}

function checkTeams({
  body,
  data,
  variations,
}: Call<string, z.output<typeof createBody>>): readonly string[] {
  const { suiteTeamsField } = variations;
  const ids =
    suiteTeamsField === "both" ? (body.team_ids ?? body.teams_ids ?? []) : (body[suiteTeamsField] ?? []);
  if (ids.length === 0 && variations.suiteTeamsRequired) throw validationFailed("Teams can't be blank");
  if (ids.some((id) => data.teams.get(id.toLowerCase()) === undefined)) {
    throw validationFailed("Teams must be teams of this organization");
  }
  return ids.map((id) => id.toLowerCase());
}
