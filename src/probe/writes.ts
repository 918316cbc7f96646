import { randomUUID } from "node:crypto";
import { first, known, unknown } from "./answers.js";
import { idIn, listOf } from "./clean.js";
import { cluster } from "./cluster.js";
import { isRefused, type WritingPart } from "./service.js";
import { isObject, unexpected } from "./wire.js";

const template: WritingPart = {
  makes: "a pipeline template",
  names: ["enterprisePlan", "yamlText"],
  requests: 3,
  async run(service, answers) {
    const configuration = "\nsteps:   [] # none";
    const body = (name: string) => ({ name, configuration });
    const { status, entity } = await service.create("template", "template", body);
    await answers.ask("yamlText", () => {
      const text = entity.configuration;
      if (typeof text !== "string")
        return unknown(`needs a plan with pipeline templates (the API responded with ${status})`);
      return first<"kept" | "trimmed" | "final-newline" | "reformatted">(
        "the text came back in another form",
        [text === configuration, "kept"],
        [text === configuration.trim(), "trimmed"],
        [text === `${configuration}\n`, "final-newline"],
        [/^\s*steps: \[\]/.test(text), "reformatted"],
      );
    });
  },
};

const team: WritingPart = {
  makes: "two secret teams",
  names: [
    "teamWriteResponse",
    "teamReturnsWritableFields",
    "teamDescriptionRequired",
    "teamUpdate",
    "teamSlugOnRename",
  ],
  requests: 12,
  async run(service, answers) {
    const body = {
      description: "Made by a probe, which removes it",
      privacy: "secret",
      is_default_team: false,
      default_member_role: "member",
      members_can_create_pipelines: false,
    };
    await answers.ask("teamDescriptionRequired", async () => {
      const { description: _, ...rest } = body;
      const response = await service.create("team", "terse", (name) => ({ name, ...rest }));
      return first(unexpected(response), [response.status < 300, false], [isRefused(response), true]);
    });
    const { id, entity } = await service.make("team", "team", (name) => ({ name, ...body }));
    await answers.ask("teamWriteResponse", () => known(idIn(entity) === undefined ? "submitted" : "full"));
    const path = service.at(`/teams/${id}`);
    const before = await service.read(path);
    await answers.ask("teamReturnsWritableFields", () => known("default_member_role" in before));
    await answers.ask("teamUpdate", async () => {
      const response = await service.wire.write("PATCH", path, { description: "Changed" });
      if (isRefused(response)) return known("whole");
      const { name, privacy, description } = await service.read(path);
      const isKept = name === before.name && privacy === before.privacy && description === "Changed";
      return isKept ? known("partial") : unknown("the update changed properties that were not sent");
    });
    await answers.ask("teamSlugOnRename", async () => {
      const name = service.ledger.name("renamed");
      service.ledger.intend({ kind: "team", name });
      service.ledger.made(name, id);
      await service.change("PATCH", path, { ...body, name });
      const { slug } = await service.read(path);
      return known(slug === before.slug ? "kept" : "changed");
    });
  },
};

const suite: WritingPart = {
  makes: "up to three test suites",
  names: [
    "suiteErrorBody",
    "suiteTeamsRequired",
    "suiteTeamsField",
    "showApiTokenOnRead",
    "suiteReadReturnsCreateFields",
    "suiteSlugOnRename",
  ],
  requests: 20,
  async run(service, answers) {
    const { wire, ledger } = service;
    const list = listOf(wire, "suite");
    await answers.ask("suiteErrorBody", async () => {
      const { status, body } = await service.create("suite", "refused", (name) => ({ name }));
      if (status < 400) return unknown("a suite without default_branch was not refused");
      return first<"message" | "errors" | "empty" | "text">(
        "the body has another form",
        [body === undefined || (isObject(body) && Object.keys(body).length === 0), "empty"],
        [typeof body === "string", "text"],
        [isObject(body) && "errors" in body, "errors"],
        [isObject(body) && "message" in body, "message"],
      );
    });
    const fields = { default_branch: "main", application_name: "Probe" };
    const plain = await service.create("suite", "suite", (name) => ({ name, ...fields }));
    await answers.ask("suiteTeamsRequired", () =>
      first(unexpected(plain), [plain.status < 300, false], [isRefused(plain), true]),
    );
    const ownTeam = ledger.objects.find(({ kind, id }) => kind === "team" && id !== undefined)?.id;
    // Where no suite needs a team, the property is read if a team that doesn't exist is refused.
    const needsNone = plain.status < 300;
    const isRead = async (field: "team_ids" | "teams_ids") => {
      const body = { ...fields, [field]: [needsNone ? randomUUID() : ownTeam] };
      const response = await service.create("suite", field.replace("_", "-"), (name) => ({ name, ...body }));
      return needsNone ? isRefused(response) : response.status < 300;
    };
    await answers.ask("suiteTeamsField", async () => {
      const [team, teams] = [await isRead("team_ids"), await isRead("teams_ids")];
      const reason = "neither property has an effect that a response shows";
      return first(reason, [team && teams, "both"], [team, "team_ids"], [teams, "teams_ids"]);
    });
    const own = ledger.objects.find(({ kind, id }) => kind === "suite" && id !== undefined);
    const entry = (await wire.all(list)).find((one) => own?.id !== undefined && idIn(one) === own.id);
    if (own?.id === undefined || entry === undefined) throw new Error("No suite could be created.");
    const ownId = own.id;
    const path = `${list}/${String(entry.slug)}`;
    await answers.ask("showApiTokenOnRead", async () =>
      known("api_token" in (await service.read(`${path}?show_api_token=true`))),
    );
    await answers.ask("suiteReadReturnsCreateFields", async () => {
      if ("application_name" in entry) return known(true);
      return known("application_name" in (await service.read(path)) ? "single" : false);
    });
    await answers.ask("suiteSlugOnRename", async () => {
      const name = ledger.name("renamed-suite");
      ledger.intend({ kind: "suite", name });
      ledger.made(name, ownId);
      await service.change("PATCH", path, { name });
      const after = (await wire.all(list)).find((one) => idIn(one) === ownId);
      if (after === undefined) return unknown("the list lacks the suite");
      return known(after.slug === entry.slug ? "kept" : "changed");
    });
  },
};

/** The parts that write, in their order: a suite may need the team. */
export const writingParts: readonly WritingPart[] = [cluster, template, team, suite];
