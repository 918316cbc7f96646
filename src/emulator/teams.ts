import { z } from "zod";
import {
  type Call,
  deletion,
  listing,
  type Operation,
  operation,
  reading,
  section,
} from "./http/operation.js";
import { choice, clearableText, flag, text } from "./model/body.js";
import * as model from "./model/entity.js";
import { slugFor, slugOnRename } from "./model/normalize.js";
import { forbidden, found, validationFailed } from "./model/refusals.js";

const mostTeams = 250;

const privacies = ["visible", "secret"] as const;
export const memberRoles = ["member", "maintainer"] as const;
const showsSettings = ({ variations }: model.View) => variations.teamReturnsWritableFields;

const added = {
  members_can_create_suites: flag.optional(),
  members_can_create_registries: flag.optional(),
  members_can_destroy_registries: flag.optional(),
  members_can_destroy_packages: flag.optional(),
};

/** The newer flags. One that was never set is false. */
type Added = { readonly [Name in keyof typeof added]?: boolean };

const addedFlag = (name: keyof Added) =>
  model.derived(z.boolean().optional(), (team: Added, view) =>
    view.variations.newerApi && showsSettings(view) ? (team[name] ?? false) : undefined,
  );

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("Team"),
  name: z.string(),
  slug: z.string(),
  description: model.optionalText,
  privacy: z.enum(privacies),
  default: model.derived(z.boolean(), (team: { is_default_team: boolean }) => team.is_default_team),
  created_at: model.timestamp,
  created_by: model.user,
  is_default_team: model.shownIf(z.boolean(), showsSettings),
  default_member_role: model.shownIf(z.enum(memberRoles), showsSettings),
  members_can_create_pipelines: model.shownIf(z.boolean(), showsSettings),
  members_can_create_suites: addedFlag("members_can_create_suites"),
  members_can_create_registries: addedFlag("members_can_create_registries"),
  members_can_destroy_registries: addedFlag("members_can_destroy_registries"),
  members_can_destroy_packages: addedFlag("members_can_destroy_packages"),
};

/** How a user belongs to a team. */
interface Membership {
  readonly role: (typeof memberRoles)[number];
  readonly created_at: string;
}

export interface TeamRecord extends model.RecordOf<typeof fields>, Added {
  readonly member_ids: readonly string[];
  /** By the user's id. Without an entry, a member is one since the team was made. */
  readonly memberships?: Readonly<Record<string, Membership>>;
}

export function membershipOf({ memberships = {}, created_at }: TeamRecord, userId: string): Membership {
  return memberships[userId] ?? { role: "member", created_at };
}

function maintains(team: TeamRecord, userId: string): boolean {
  return team.member_ids.includes(userId) && membershipOf(team, userId).role === "maintainer";
}

/** A team's members, pipelines and suites are changed by its maintainers and by administrators. @throws {Refusal} 403. */
export function maintainedTeam(call: Call<"team_uuid">): TeamRecord {
  const team = findTeam(call);
  if (!call.token.admin && !maintains(team, call.token.user_id)) throw forbidden();
  return team;
}

const team = model.entity<TeamRecord>("Team", fields);

const submittedTeam = model.entity<TeamRecord>("SubmittedTeam", {
  name: z.string(),
  description: model.keptAs(z.string().nullish(), (kept: string | null) => kept ?? ""),
  privacy: z.enum(privacies),
  is_default_team: z.boolean(),
  default_member_role: z.enum(memberRoles),
  members_can_create_pipelines: z.boolean(),
});

/** All of the team, or only the submitted properties: services differ. */
const writtenTeam = {
  schema: z.union([team.schema, submittedTeam.schema]),
  show: (view: model.View, record: TeamRecord) =>
    (view.variations.teamWriteResponse === "full" ? team : submittedTeam).show(view, record),
};

const required = {
  name: text,
  privacy: choice(privacies),
  is_default_team: flag,
  default_member_role: choice(memberRoles),
  members_can_create_pipelines: flag,
};
const description = clearableText.optional();

/** The scope that reads one team, and what belongs to it: sources disagree. */
export const readsTeams: Pick<Operation, "scope" | "acceptedScopes"> = {
  scope: "view_teams",
  acceptedScopes: ({ teamScope }) => (teamScope === "either" ? ["read_teams", "view_teams"] : [teamScope]),
};

const collection = "/v2/organizations/{org_slug}/teams";
const single = `${collection}/{team_uuid}`;

export const teams = section("teams", "teams", {
  list: listing(
    collection,
    "List teams",
    team,
    (call) => {
      const userId = call.query.one("user_id")?.toLowerCase();
      return visibleTeams(call).filter(({ member_ids }) => !userId || member_ids.includes(userId));
    },
    { query: { user_id: "Only teams that have this user as a member." } },
  ),
  get: reading(single, "Get a team", team, findTeam, readsTeams),
  create: operation("POST", collection, "Create a team", {
    body: z.object({ ...required, description, ...added }),
    added: Object.keys(added),
    response: writtenTeam,
    run: (call) => {
      const { data, body, token, made } = call;
      requireDescription(call);
      requirePermissions(call);
      if (data.teams.size >= mostTeams) {
        throw validationFailed(`Organization can have at most ${mostTeams} teams`);
      }
      return data.teams.insert({
        ...made,
        ...given(body),
        description: body.description ?? null,
        slug: slugFor(body.name, data.teams),
        member_ids: [token.user_id],
        memberships: { [token.user_id]: { role: "maintainer", created_at: made.created_at } },
      });
    },
  }),
  // Buildkite's documentation lists all six properties as required; published clients send those that changed.
  update: operation("PATCH", single, "Update a team", {
    body: z.object({ ...required, description, ...added }).partial(),
    added: Object.keys(added),
    response: writtenTeam,
    run: (call) => {
      const { data, body, variations } = call;
      const old = findTeam(call);
      const missing = Object.keys(required).find((name) => !(name in body));
      if (variations.teamUpdate === "whole" && missing !== undefined) {
        throw validationFailed(`${missing} is missing`);
      }
      requireDescription(call);
      requirePermissions(call);
      const slug = slugOnRename(variations.teamSlugOnRename, old, body.name, data.teams);
      const isReset = variations.newerApi && variations.teamFlagsLeftOut === "reset";
      const reset = Object.fromEntries(Object.keys(added).map((name) => [name, false]));
      return data.teams.update(old.id, { ...(isReset && reset), ...given(body), slug });
    },
  }),
  delete: deletion(single, "Delete a team", "it cannot be deleted", (call) =>
    call.data.teams.delete(findTeam(call).id),
  ),
});

/** A secret team may be hidden from people who aren't its members. */
function visibleTeams({ data, token }: Call): TeamRecord[] {
  const sees = ({ privacy, member_ids }: TeamRecord) =>
    privacy !== "secret" || token.sees_secret_teams || member_ids.includes(token.user_id);
  return data.teams.list().filter(sees);
}

export function findTeam(call: Call<"team_uuid">): TeamRecord {
  const id = call.params.team_uuid.toLowerCase();
  return found(
    visibleTeams(call).find((team) => team.id === id),
    "team",
  );
}

function given<Body extends object>(body: Body): { [Name in keyof Body]: Exclude<Body[Name], undefined> } {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  // Only properties without a value are gone.
  return Object.fromEntries(entries) as { [Name in keyof Body]: Exclude<Body[Name], undefined> };
}

function requireDescription({ body, variations }: Call<string, { description?: unknown }>): void {
  if (variations.teamDescriptionRequired && body.description === undefined) {
    throw validationFailed("Description can't be blank");
  }
}

const permissions = [
  "members_can_create_suites",
  "members_can_create_registries",
  "members_can_destroy_registries",
  "members_can_destroy_packages",
];

function requirePermissions({ body, variations }: Call<string, object>): void {
  const missing = permissions.filter((name) => !(name in body));
  if (variations.teamPermissionsRequired && missing.length > 0)
    throw validationFailed(...missing.map((name) => `${name} is missing`));
}
