import { z } from "zod";
import { type Operation, scopes } from "./http/operation.js";
import { described } from "./model/entity.js";
import { defaultVariations } from "./model/variations.js";
import { operations } from "./sections.js";

type Json = Readonly<Record<string, unknown>>;

const generalErrors: Readonly<Record<string, string>> = {
  401: "The access token is missing, unknown or revoked.",
  403: "The access token lacks the scope.",
  404: "The organization or what the path names is not there.",
  429: "Too many requests in this minute.",
};

/** Returns the OpenAPI 3.1 description of the emulator as JSON text, from the definitions that it validates with. */
export function renderOpenApi(base: string): string {
  const components: Record<string, unknown> = {};
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const description = describe(operation, components);
    const summary = `${operation.summary} (as ${operation.method})`;
    const other = operation.alsoBy?.toLowerCase();
    const also = { ...description, operationId: `${operation.id}.${other}`, summary };
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: description,
      ...(other && { [other]: also }),
    };
  }
  const description = {
    openapi: "3.1.0",
    info: {
      title: "Build Pipeline Service REST API",
      version: "2",
      description: "What the emulator of this package serves.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: base }],
    security: [{ accessToken: [] }],
    tags: [...new Set(operations.map(groupOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        accessToken: {
          type: "http",
          scheme: "bearer",
          description: `An API access token. Scopes: ${scopes.join(", ")}.`,
        },
      },
      schemas: {
        Error: { type: "object", properties: { message: text }, required: ["message"] },
        ...components,
      },
    },
  };
  return JSON.stringify(description, null, 2);
}

/** JSON leaves out what is undefined here. */
function describe(operation: Operation, components: Record<string, unknown>): Json {
  const { scope, acceptedScopes, body, path, query, list } = operation;
  const needed = scope === null ? "No scope is needed." : `Scope: \`${scope}\`.`;
  const others = acceptedScopes?.(defaultVariations).filter((name) => name !== scope) ?? [];
  const also = others.map((name) => ` \`${name}\` does as well.`).join("");
  const per_page = "Entries a page, 100 at most.";
  const byCursor = {
    after: "Cursor of the entry before the page.",
    before: "Cursor of the entry behind it.",
  };
  const paging = list && { ...(list === "cursor" ? byCursor : { page: "Page, from 1." }), per_page };
  return {
    operationId: operation.id,
    tags: [groupOf(operation)],
    summary: operation.summary,
    description: `${needed}${also}`,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
        return { name, in: "path", required: true, schema: text };
      }),
      ...Object.entries({ ...query, ...paging }).map(([name, description]) => {
        return { name, in: "query", description, ...(shapes[name] ?? { schema: text }) };
      }),
    ],
    requestBody: body && {
      required: !body.safeParse({}).success,
      content: jsonOf(schemaOf(body, "input", components)),
    },
    responses: { [operation.status]: successOf(operation, components), ...errorsOf(operation) },
  };
}

function successOf({ response, list, status }: Operation, components: Record<string, unknown>): Json {
  if (response === undefined) return { description: "Done." };
  const schema = schemaOf(response.schema, "output", components);
  return {
    description: status === 201 ? "Made." : "Found.",
    ...(list === "cursor"
      ? {}
      : { headers: list && { Link: { description: "Addresses of other pages.", schema: text } } }),
    content: jsonOf(list === undefined ? schema : list === "cursor" ? pageOf(schema) : arrayOf(schema)),
  };
}

function errorsOf({ id, errors, path }: Operation): Json {
  const refused = Object.entries(errors).map(([status, when]) => [status, `Refused when ${when}.`] as const);
  const moved = path.includes("{pipeline_slug}") && { 301: "The pipeline has another slug by now." };
  const descriptions = { ...generalErrors, ...moved, ...Object.fromEntries(refused) };
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => {
      // Buildkite's documentation shows no errors of suites, so what a refused one is answered with may be anything.
      const isOpen = id.startsWith("suites.") && status === "422";
      const schema = isOpen ? { description: "Not documented." } : { $ref: "#/components/schemas/Error" };
      return [status, { description, content: jsonOf(schema) }];
    }),
  );
}

const text = { type: "string" };
const arrayOf = (items: Json): Json => ({ type: "array", items });
const pageOf = (entry: Json): Json => ({
  type: "object",
  properties: {
    items: arrayOf(entry),
    links: {
      type: "object",
      properties: { self: text, next: { type: ["string", "null"] } },
      required: ["self"],
    },
  },
  required: ["items", "links"],
});
const page = { schema: { type: "integer", minimum: 0 } };
const texts = { schema: { type: "array", items: text }, style: "form", explode: true };
const textsByKey = {
  schema: { type: "object", additionalProperties: text },
  style: "deepObject",
  explode: true,
};

/** Query parameters that aren't one text. */
const shapes: Readonly<Record<string, Json>> = {
  page,
  per_page: page,
  branch: texts,
  state: texts,
  meta_data: textsByKey,
};

const jsonOf = (schema: Json): Json => ({ "application/json": { schema } });

/** Returns the JSON schema of a zod schema; parts that have a name become components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Record<string, unknown>): Json {
  const {
    $schema: _,
    $defs = {},
    id,
    ...own
  } = z.toJSONSchema(schema, { io, metadata: described, unrepresentable: "any" });
  for (const [name, { id: _, ...definition }] of Object.entries($defs)) {
    components[name] = referenced(definition);
  }
  if (id === undefined) return referenced(own);
  components[id] = referenced(own);
  return { $ref: `#/components/schemas/${id}` };
}

function referenced(definition: object): Json {
  const text = JSON.stringify(definition).replaceAll('"#/$defs/', '"#/components/schemas/');
  // The text of an object parses to an object.
  return JSON.parse(text) as Json;
}

function groupOf({ id }: Operation): string {
  return id.slice(0, id.indexOf("."));
}
