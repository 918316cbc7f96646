import { randomUUID } from "node:crypto";
import { type Answers, first, known, type QuestionName, unknown, unset } from "./answers.js";
import { idIn, places } from "./clean.js";
import type { Ledger, ObjectKind } from "./ledger.js";
import { largestPage, linkOfSinglePage, linkRelations, userGraphqlId } from "./reads.js";
import { isObject, Stopped, unexpected, type Wire, type WireResponse } from "./wire.js";

type Entity = Record<string, unknown>;

/** A part of the probe that writes: what it makes, the questions that it answers, and its requests at most. */
export interface WritingPart {
  readonly makes: string;
  readonly names: readonly QuestionName[];
  readonly requests: number;
  run(service: Service, answers: Answers): Promise<void>;
}

/** The way of a probe's writes: each creation is in the ledger before it is sent. */
export class Service {
  constructor(
    readonly wire: Wire,
    readonly ledger: Ledger,
  ) {}

  at(path: string): string {
    return `/organizations/${this.wire.organization}${path}`;
  }

  /** Creates an object of the probe, or reports the refusal. */
  async create(
    kind: ObjectKind,
    label: string,
    body: (name: string) => object,
    cluster?: string,
  ): Promise<WireResponse & { readonly id?: string | undefined; readonly entity: Entity }> {
    const name = this.ledger.name(label);
    const path = places[kind].list(this.wire, { cluster });
    this.ledger.intend({ kind, name, cluster });
    const response = await this.wire.write("POST", path, body(name));
    if (response.status >= 400) {
      this.ledger.gone(name);
      return { ...response, entity: {} };
    }
    const entity = isObject(response.body) ? response.body : {};
    const id =
      idIn(entity) ?? idIn((await this.wire.all(path)).find((one) => one[places[kind].label] === name));
    if (id !== undefined) this.ledger.made(name, id);
    return { ...response, id, entity };
  }

  /** Creates an object that the questions of a part need. @throws if it is refused */
  async make(kind: ObjectKind, label: string, body: (name: string) => object, cluster?: string) {
    const made = await this.create(kind, label, body, cluster);
    if (made.id === undefined) throw new Error(unexpected(made));
    return { id: made.id, entity: made.entity };
  }

  /** Changes an object of the probe. @throws if it is refused */
  async change(method: "PUT" | "PATCH" | "POST", path: string, body?: object): Promise<Entity> {
    const response = await this.wire.write(method, path, body);
    if (response.status >= 300 || !isObject(response.body)) throw new Error(unexpected(response));
    return response.body;
  }

  async read(path: string): Promise<Entity> {
    const response = await this.wire.get(path);
    if (response.status !== 200 || !isObject(response.body)) throw new Error(unexpected(response));
    return response.body;
  }
}

const isRefused = ({ status }: WireResponse) => status === 400 || status === 422;

const cluster: WritingPart = {
  makes: "a cluster with three queues and an agent token",
  names: [
    "unsetText",
    "embeddedUserGraphqlId",
    "colorCase",
    "emojiForm",
    "listLag",
    "linkHeaderOnSinglePage",
    "linkRelations",
    "largestPage",
    "pauseNoteField",
    "deleteDefaultQueue",
    "clearDefaultQueue",
    "allowedAddressesUnset",
    "allowedAddressesForm",
    "allowedAddresses",
  ],
  requests: 34,
  async run(service, answers) {
    const { id, entity } = await service.make("cluster", "cluster", (name) => ({ name }));
    const path = service.at(`/clusters/${id}`);
    await answers.ask("unsetText", () => unset(entity, "description"));
    await answers.ask("embeddedUserGraphqlId", () => userGraphqlId(entity));
    await answers.ask("colorCase", async () => {
      const { color } = await service.change("PUT", path, { color: "#aBcDeF" });
      const reason = "the color came back in another form";
      return first(
        reason,
        [color === "#aBcDeF", "kept"],
        [color === "#abcdef", "lower"],
        [color === "#ABCDEF", "upper"],
      );
    });
    await answers.ask("emojiForm", async () => {
      const emojiOf = async (emoji: string) => (await service.change("PUT", path, { emoji })).emoji;
      if ((await emojiOf(":mac:")) === "mac") return known("bare");
      const bare = await emojiOf("mac");
      return first(
        "the emoji came back in another form",
        [bare === ":mac:", "colons"],
        [bare === "mac", "kept"],
      );
    });
    await askQueues(service, answers, { id, path });
    await askToken(service, answers, id);
  },
};

async function askQueues(
  service: Service,
  answers: Answers,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<void> {
  const { wire } = service;
  const list = `${path}/queues`;
  const made: string[] = [];
  for (const label of ["one", "two", "three"]) {
    made.push((await service.make("queue", label, (key) => ({ key }), id)).id);
    if (label === "one") await answers.ask("listLag", () => lagOf(wire, list, made[0]));
  }
  const [one = "", two = ""] = made;
  await answers.ask("linkHeaderOnSinglePage", async () =>
    linkOfSinglePage(await wire.get(`${list}?per_page=100`)),
  );
  await answers.ask("linkRelations", async () => linkRelations(await wire.get(`${list}?per_page=1&page=2`)));
  await answers.ask("largestPage", async () => largestPage(await wire.get(`${list}?per_page=1000`)));
  await answers.ask("pauseNoteField", async () => {
    const noteOf = async (field: "note" | "dispatch_paused_note") => {
      const paused = await service.change("POST", `${list}/${two}/pause_dispatch`, { [field]: "Probe" });
      await service.change("POST", `${list}/${two}/resume_dispatch`);
      return paused.dispatch_paused_note === "Probe";
    };
    const [short, long] = [await noteOf("note"), await noteOf("dispatch_paused_note")];
    const reason = "neither note was recorded";
    return first(reason, [short && long, "both"], [short, "note"], [long, "dispatch_paused_note"]);
  });
  await answers.ask("deleteDefaultQueue", async () => {
    await service.change("PUT", path, { default_queue_id: one });
    const response = await wire.write("DELETE", `${list}/${one}`);
    return first(unexpected(response), [response.status < 300, "allowed"], [isRefused(response), "refused"]);
  });
  await answers.ask("clearDefaultQueue", async () => {
    await service.change("PUT", path, { default_queue_id: two });
    const response = await wire.write("PUT", path, { default_queue_id: null });
    if (isRefused(response)) return known("refused");
    const after = await service.read(path);
    return known(after.default_queue_id === null ? "allowed" : "refused");
  });
}

/** Counts the lists that lack an object that exists. */
async function lagOf(wire: Wire, list: string, id: string | undefined) {
  const MOST = 5;
  for (let lag = 0; lag <= MOST; lag++) {
    if ((await wire.all(list)).some((entry) => idIn(entry) === id)) return known(lag);
  }
  return unknown(`the object is missing in more than ${MOST} lists`);
}

async function askToken(service: Service, answers: Answers, cluster: string): Promise<void> {
  const names = ["allowedAddressesUnset", "allowedAddressesForm", "allowedAddresses"] as const;
  try {
    const { id, entity } = await service.make("token", "token", (description) => ({ description }), cluster);
    await answers.ask("allowedAddressesUnset", () => unset(entity, "allowed_ip_addresses"));
    const path = service.at(`/clusters/${cluster}/tokens/${id}`);
    const changed = await service.change("PUT", path, {
      description: service.ledger.name("token"),
      allowed_ip_addresses: "198.51.100.7/24 192.0.2.1",
    });
    const { allowed_ip_addresses: addresses } = changed;
    await answers.ask("allowedAddressesForm", () =>
      first(
        "the addresses came back in another form",
        [typeof addresses === "string", "string"],
        [Array.isArray(addresses), "array"],
      ),
    );
    await answers.ask("allowedAddresses", () => {
      const text = Array.isArray(addresses) ? addresses.join(" ") : addresses;
      return first(
        "the addresses came back changed",
        [text === "198.51.100.7/24 192.0.2.1", "kept"],
        [text === "198.51.100.0/24 192.0.2.1/32", "canonical"],
        [text === "192.0.2.1 198.51.100.7/24", "sorted"],
      );
    });
  } catch (error) {
    if (error instanceof Stopped) throw error;
    answers.fail(names, error);
  }
}

const template: WritingPart = {
  makes: "a pipeline template",
  names: ["enterprisePlan", "yamlText"],
  requests: 3,
  async run(service, answers) {
    const configuration = "\nsteps:   [] # none";
    const { status, entity } = await service.create("template", "template", (name) => ({
      name,
      configuration,
    }));
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
    const list = places.suite.list(wire, {});
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
    const withTeams = async (field: "team_ids" | "teams_ids") => {
      if (plain.status < 300) {
        // The property is read if a team that doesn't exist is refused.
        const response = await service.create("suite", field.replace("_", "-"), (name) => ({
          name,
          ...fields,
          [field]: [randomUUID()],
        }));
        return isRefused(response);
      }
      const body = { ...fields, [field]: [ownTeam] };
      return (
        (await service.create("suite", field.replace("_", "-"), (name) => ({ name, ...body }))).status < 300
      );
    };
    await answers.ask("suiteTeamsField", async () => {
      const [team, teams] = [await withTeams("team_ids"), await withTeams("teams_ids")];
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

/** Runs one part. What its objects would have answered has a reason if they cannot be made. */
export async function runPart(part: WritingPart, service: Service, answers: Answers): Promise<void> {
  try {
    await part.run(service, answers);
  } catch (error) {
    if (error instanceof Stopped) throw error;
    answers.fail(part.names, error);
  }
}
