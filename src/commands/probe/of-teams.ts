import { randomUUID } from "node:crypto";
import { first, once, type Questions } from "./question.js";
import { idIn, isRefused, type ProbedService, wasRefused } from "./service.js";
import { type Entity, isObject, NoAnswer, unexpected } from "./wire.js";

const TEAM = {
  description: "Made by a probe, which removes it",
  privacy: "secret",
  is_default_team: false,
  default_member_role: "member",
  members_can_create_pipelines: false,
};

/** Permissions that Buildkite's pages require in each write of a team. */
const PERMISSIONS = {
  members_can_create_suites: false,
  members_can_create_registries: false,
  members_can_destroy_registries: false,
  members_can_destroy_packages: false,
};

const WHOLE = { ...TEAM, ...PERMISSIONS };

const ownTeam = once((service) => service.make("team", "team", (name) => ({ name, ...WHOLE })));

/** The same team as a read shows it, which may need another scope. */
const readTeam = once(async (service) => service.read(await ownTeam(service)));

const SUITE = { default_branch: "main", application_name: "Probe" };

/** A suite without teams, which some services refuse. */
const plainSuite = once((service) => service.create("suite", "suite", (name) => ({ name, ...SUITE })));

/** Which properties assign teams to a new suite, and the id of a suite that this made. */
const teamsFields = once(async (service) => {
  // Where no suite needs a team, the property is read if a team that doesn't exist is refused.
  const needsNone = (await plainSuite(service)).status < 300;
  const teams = [needsNone ? randomUUID() : (await ownTeam(service)).id];
  const createWith = async (field: "team_ids" | "teams_ids") => {
    const body = (name: string) => ({ name, ...SUITE, [field]: teams });
    const created = await service.create("suite", field.replace("_", "-"), body);
    return { object: created.object, isRead: needsNone ? isRefused(created) : created.status < 300 };
  };
  const [team, other] = [await createWith("team_ids"), await createWith("teams_ids")];
  return { object: team.object ?? other.object, teamIds: team.isRead, teamsIds: other.isRead };
});

const ownSuite = once(async (service) => {
  const own = (await plainSuite(service)).object ?? (await teamsFields(service)).object;
  if (own === undefined) throw new Error("No suite could be created.");
  const listed = await service.read(own);
  return { own, listed, path: `${service.listOf("suite")}/${String(listed.slug)}` };
});

const readSuite = async (service: ProbedService, query = ""): Promise<Entity> => {
  const { own, path } = await ownSuite(service);
  const response = await service.get(`${path}${query}`);
  if (response.status !== 200 || !isObject(response.body)) throw new Error(unexpected(response));
  if (idIn(response.body) !== own.id) throw new NoAnswer("a response was another object's");
  return response.body;
};

/** Questions about teams and test suites. A rename comes last, because a suite's path may change with it. */
export const ofTeams = {
  teamWriteResponse: {
    asks: "Does creating or updating a team return the team, or only what was sent?",
    document: "shows only what was sent",
    copes: "finds the team in the list where the response has no id",
    answer: async (service) => (idIn((await ownTeam(service)).entity) === undefined ? "submitted" : "full"),
  },
  teamReturnsWritableFields: {
    asks: "Does a team show its default role, and whether members can create pipelines?",
    copes: "keeps the last values that were sent where the API returns none",
    answer: async (service) => "default_member_role" in (await readTeam(service)),
  },
  teamDescriptionRequired: {
    asks: "Is a team without `description` refused?",
    document: "all six properties are required",
    copes: "sends all six",
    async answer(service) {
      const { description: _, ...rest } = WHOLE;
      return wasRefused(await service.create("team", "terse", (name) => ({ name, ...rest })));
    },
  },
  teamPermissionsRequired: {
    asks: "Does the API refuse a team without the permissions of its members for suites, registries and packages?",
    document: "does not have these permissions; Buildkite's pages require them",
    copes: "doesn't send them, and shows the refusal, which names them",
    answer: async (service) =>
      wasRefused(await service.create("team", "permissions", (name) => ({ name, ...TEAM }))),
  },
  teamUpdate: {
    asks: "Does an update of a team keep properties that it doesn't send?",
    document: "all six properties are required",
    copes: "reads the team first and sends all six",
    async answer(service) {
      const team = await ownTeam(service);
      const read = await readTeam(service);
      const response = await service.write("PATCH", team, { ...PERMISSIONS, description: "Changed" });
      if (isRefused(response)) return "whole";
      const { name, privacy, description } = await service.read(team);
      const isKept = name === read.name && privacy === read.privacy && description === "Changed";
      return first("the update changed properties that were not sent", [isKept, "partial"]);
    },
  },
  teamSlugOnRename: {
    asks: "Does renaming a team change its slug?",
    copes: "shows the slug as unknown in the preview of a rename",
    async answer(service) {
      const team = await ownTeam(service);
      const read = await readTeam(service);
      await service.change("PATCH", team, { ...WHOLE, name: service.rename(team, "renamed") });
      return (await service.read(team)).slug === read.slug ? "kept" : "changed";
    },
  },
  suiteErrorBody: {
    asks: "What form does the body of a refused suite request have?",
    copes: "shows the text of any form",
    async answer(service) {
      const { status, body } = await service.create("suite", "refused", (name) => ({ name }));
      if (status < 400) throw new NoAnswer("a suite without default_branch was not refused");
      return first(
        "the body has another form",
        [body === undefined || (isObject(body) && Object.keys(body).length === 0), "empty"],
        [typeof body === "string", "text"],
        [isObject(body) && "errors" in body, "errors"],
        [isObject(body) && "message" in body, "message"],
      );
    },
  },
  suiteTeamsRequired: {
    asks: "Does a new suite need a team?",
    document: "yes, if the organization has teams enabled",
    copes: "reports the API's refusal; `teamIds` is the argument to set",
    answer: async (service) => wasRefused(await plainSuite(service)),
  },
  suiteTeamsField: {
    asks: "Which property assigns teams to a new suite?",
    document: "`team_ids` in the example, `teams_ids` in the list of properties",
    copes: "sends `team_ids`",
    async answer(service) {
      const { teamIds, teamsIds } = await teamsFields(service);
      const reason = "neither property has an effect that a response shows";
      return first(reason, [teamIds && teamsIds, "both"], [teamIds, "team_ids"], [teamsIds, "teams_ids"]);
    },
  },
  showApiTokenOnRead: {
    asks: "Does reading a suite with `show_api_token` return its API token?",
    document: "only the creation returns it",
    copes: "asks when it imports a suite; without the token, the output is undefined",
    answer: async (service) => "api_token" in (await readSuite(service, "?show_api_token=true")),
  },
  suiteReadReturnsCreateFields: {
    asks: "Does reading a suite return `application_name`, `color` and `emoji`?",
    document: "only the creation returns them",
    copes: "keeps what the program says where the API returns nothing",
    async answer(service) {
      const { listed } = await ownSuite(service);
      if ("application_name" in listed) return true;
      return "application_name" in (await readSuite(service)) ? "single" : false;
    },
  },
  suiteSlugOnRename: {
    asks: "Does renaming a suite change its slug?",
    copes: "finds a suite by its id before each write",
    async answer(service) {
      const { own, listed } = await ownSuite(service);
      await service.change("PATCH", own, { name: service.rename(own, "renamed-suite") });
      return (await service.read(own)).slug === listed.slug ? "kept" : "changed";
    },
  },
} satisfies Partial<Questions>;
