import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { emulatorOperations } from "../../src/emulator/index.js";
import { cases } from "./all-cases.js";
import { plantAccess } from "./cases-of-access.js";
import { asObject, type DescribedOperation, type Json } from "./description.js";
import { documentedOperations, type Row, shapeOf } from "./operations.js";
import { World } from "./world.js";

const world = World.forAll(plantAccess);

/** PATCH beside PUT, or PUT beside PATCH, as published clients use it. */
const aliases = documentedOperations.flatMap(({ id, also }) => (also ? [`${id}.${also.toLowerCase()}`] : []));

/** Fields that an answer may leave out under a variation, or outside of the answer to a creation. */
const mayBeAbsent = [
  "description",
  "emoji",
  "color",
  "allowed_ip_addresses",
  "application_name",
  "api_token",
  "pull_request",
  // Some pipelines and secrets lack them.
  ...["pipelines configuration", "clusterSecrets policy"],
  // What an older service leaves out.
  "accessToken created_at",
  ...["maintainers", "hosted_git_mirror_enabled", "hosted_container_cache_enabled", "retry_agent_affinity"],
  ...["hosted", "hosted_agents", "organization_id", "oidc_policy", "expires_at", "user"],
];

/** No field of an answer or a body is a list of lists, but what visual steps are is not documented. */
const wrong = [["nobody promised this"]];
const isOpen = (name: string) => name === "steps";

const validate = async (description: Json) => new Validator().validate(structuredClone(description));

describe("The description at /openapi.json", () => {
  test("is valid OpenAPI 3.1", async () => {
    expect(await validate(world.description.json)).toEqual({ valid: true });
    expect(world.description.json.openapi).toBe("3.1.0");
  });

  test.each(["info", "openapi", "paths"])("would not be valid without %s", async (name) => {
    const { [name]: _, ...broken } = world.description.json;
    // Paths alone may be left out by the standard, but not together with everything that could stand for them.
    if (name === "paths") delete (broken as Record<string, unknown>).components;
    expect(await validate(broken)).toMatchObject({ valid: false });
  });

  test("lists exactly the operations of the table, and the known second methods", () => {
    const fact = ({ id, method, path }: Pick<DescribedOperation, "id" | "method" | "path">) =>
      `${id}: ${method} ${shapeOf(path)}`;
    const listed = world.description.operations();
    const first = listed.filter(({ id }) => !aliases.includes(id));
    expect(first.map(fact).sort()).toEqual(documentedOperations.map(fact).sort());
    const second = listed.filter(({ id }) => aliases.includes(id)).map(({ id, method }) => `${id} ${method}`);
    expect(second.sort()).toEqual(aliases.map((id) => `${id} ${id.split(".").at(-1)?.toUpperCase()}`).sort());
  });
});

describe.each(documentedOperations)("$id", (row) => {
  const described = () => world.description.operation(row.id).json;

  test("is described with the documented scope, parameters, body, success and errors", () => {
    const operation = described();
    expect(operation.description).toContain(row.scope === null ? "No scope is needed" : `\`${row.scope}\``);
    expect(parameterNames(operation, "path")).toEqual(placeholdersOf(row.id));
    expect(parameterNames(operation, "query")).toEqual(expectedQuery(row));
    const { properties, required } = bodySchema(operation);
    expect(properties).toEqual(expectedBody(row));
    expect(required).toEqual(expectedRequired(row));
    const statuses = Object.keys(asObject(operation.responses));
    expect(statuses.filter((status) => status.startsWith("2"))).toEqual([String(row.success)]);
    const errors = (row.errors ?? []).map(({ status }) => String(status));
    expect(statuses).toEqual(expect.arrayContaining(["401", "403", "404", "429", ...errors]));
  });

  test("is described so that wrong responses are found", async () => {
    await world.call(cases[row.id](world.places));
    const [answer] = world.answers();
    const problem = (status: number, body: unknown) =>
      world.description.problemOfAnswer(row.id, status, body);
    expect(problem(418, { message: "I am a teapot" })).toBeDefined();
    expect(problem(401, { error: "no message" })).toBeDefined();
    expect(problem(401, { message: 401 })).toBeDefined();
    expect(problem(row.success, wrong)).toBeDefined();
    const isByCursor = row.list === "cursor";
    const [entity] = [isByCursor ? asObject(answer?.body).items : answer?.body].flat();
    if (entity === undefined) return;
    const inPlace = (changed: unknown) => {
      if (row.list === undefined) return problem(row.success, changed);
      return problem(row.success, isByCursor ? { items: [changed], links: { self: "" } } : [changed]);
    };
    expect(inPlace(entity)).toBeUndefined();
    expect(inPlace({ ...asObject(entity), unknown_field: 1 })).toBeDefined();
    expect(inPlace([entity])).toBeDefined();
    for (const name of Object.keys(asObject(entity))) {
      const { [name]: _, ...without } = asObject(entity);
      if (!isOpen(name))
        expect([name, inPlace({ ...without, [name]: wrong })]).toEqual([name, expect.any(String)]);
      if (![name, `${row.id.split(".")[0]} ${name}`].some((one) => mayBeAbsent.includes(one)))
        expect([name, inPlace(without)]).toEqual([name, expect.stringContaining(name)]);
    }
  });

  test("is described so that wrong bodies are found", () => {
    const { body } = cases[row.id](world.places);
    if (body === undefined) {
      expect(described().requestBody).toBeUndefined();
      return;
    }
    const problem = (changed: unknown) => world.description.problemOfBody(row.id, changed);
    expect(problem(body)).toBeUndefined();
    expect(problem([body])).toBeDefined();
    for (const name of Object.keys(asObject(body))) {
      const { [name]: _, ...without } = asObject(body);
      if (!isOpen(name))
        expect([name, problem({ ...without, [name]: wrong })]).toEqual([name, expect.any(String)]);
      if (expectedRequired(row).includes(name))
        expect([name, problem(without)]).toEqual([name, expect.any(String)]);
    }
  });
});

function parameterNames(operation: Json, place: "path" | "query"): string[] {
  const parameters: unknown = operation.parameters;
  if (!Array.isArray(parameters)) throw new Error("There are no parameters.");
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name }) => String(name))
    .sort();
}

/** The documentation calls some ids by other names. */
function placeholdersOf(id: string): string[] {
  const path = emulatorOperations.find((operation) => operation.id === id)?.path ?? "";
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort();
}

function expectedQuery({ id, query = [], list }: Row): string[] {
  const paging = list && [...(list === "cursor" ? ["after", "before"] : ["page"]), "per_page"];
  // The live service honors it on a read, too.
  const beyond = id === "suites.get" ? ["show_api_token"] : [];
  return [...query, ...(paging ?? []), ...beyond].sort();
}

function bodySchema({ requestBody }: Json): { properties: string[]; required: string[] } {
  if (requestBody === undefined) return { properties: [], required: [] };
  const content = asObject(asObject(requestBody).content);
  const { properties, required = [] } = asObject(asObject(content["application/json"]).schema);
  return {
    properties: Object.keys(asObject(properties)).sort(),
    required: [required].flat().map(String).sort(),
  };
}

/** Properties that the table lacks: another spelling, what may only be sent unchanged, and what is refused in words. */
const beyond: Readonly<Record<string, readonly string[]>> = {
  "suites.create": ["teams_ids"],
  "pipelines.update": ["teams"],
  "clusterSecrets.update": ["key", "value"],
  "notificationServices.update": ["provider"],
};

function expectedBody({ id, body }: Row): string[] {
  const { required = [], optional = [], newer = [] } = body ?? {};
  return [...required, ...optional, ...newer, ...(beyond[id] ?? [])].sort();
}

function expectedRequired({ id, body }: Row): string[] {
  // Published clients update a team with what changed, and leave its empty description out when they create it.
  if (id === "teams.update") return [];
  const tolerated = id === "teams.create" ? ["description"] : [];
  return (body?.required ?? []).filter((name) => !tolerated.includes(name)).sort();
}
