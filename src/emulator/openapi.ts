import { z } from "zod";
import type { Operation } from "./http/operation.js";
import { scopes } from "./http/scopes.js";
import { defaultVariations } from "./model/variations.js";
import { operations } from "./sections.js";

type Json = { readonly [key: string]: unknown };

const errorSchema: Json = {
  type: "object",
  properties: { message: { type: "string" } },
  required: ["message"],
};

const generalErrors: Readonly<Record<number, string>> = {
  401: "The access token is missing, unknown or revoked.",
  403: "The access token lacks the scope.",
  404: "The organization or what the path names is not there.",
  429: "Too many requests in this minute.",
};

/** Returns the OpenAPI 3.1 description of the emulator as JSON text, from the definitions that it validates with. */
export function renderOpenApi(base: string): string {
  const components: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    paths[operation.path] = path;
    path[operation.method.toLowerCase()] = describe(operation, components);
    for (const method of operation.alsoMethods ?? []) {
      path[method.toLowerCase()] = {
        ...describe(operation, components),
        operationId: `${operation.id}.${method.toLowerCase()}`,
        summary: `${operation.summary} (as ${operation.method})`,
      };
    }
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
      schemas: { Error: errorSchema, ...components },
    },
  };
  return JSON.stringify(description, null, 2);
}

function describe(operation: Operation, components: Record<string, unknown>): Json {
  const scope = operation.scope === null ? "No scope is needed." : `Scope: \`${operation.scope}\`.`;
  const accepted = operation.acceptedScopes?.(defaultVariations) ?? [];
  const also = accepted
    .filter((name) => name !== operation.scope)
    .map((name) => ` \`${name}\` does as well.`);
  return {
    operationId: operation.id,
    tags: [groupOf(operation)],
    summary: operation.summary,
    description: `${scope}${also.join("")} Section ${operation.section} of the API document.`,
    parameters: [...pathParameters(operation), ...queryParameters(operation)],
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: !operation.body.safeParse({}).success,
            content: { "application/json": { schema: schemaOf(operation.body, "input", components) } },
          },
        }),
    responses: { ...successResponse(operation, components), ...errorResponses(operation) },
  };
}

function successResponse(operation: Operation, components: Record<string, unknown>): Json {
  if (operation.response === undefined) return { [operation.status]: { description: "Done." } };
  const schema = schemaOf(operation.response.schema, "output", components);
  const link = { description: "Addresses of other pages.", schema: { type: "string" } };
  return {
    [operation.status]: {
      description: operation.status === 201 ? "Made." : "Found.",
      ...(operation.list === undefined ? {} : { headers: { Link: link } }),
      content: {
        "application/json": {
          schema: operation.list === undefined ? schema : { type: "array", items: schema },
        },
      },
    },
  };
}

function errorResponses(operation: Operation): Json {
  const refused = Object.entries(operation.errors).map(([status, when]) => [status, `Refused when ${when}.`]);
  const descriptions: Readonly<Record<string, string>> = { ...generalErrors, ...Object.fromEntries(refused) };
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      status,
      { description, content: { "application/json": { schema: errorSchemaOf(operation, status) } } },
    ]),
  );
}

/** The document shows no errors of suites, so what a refused one is answered with may be anything. */
function errorSchemaOf({ section }: Operation, status: string): Json {
  if (section === "4.6" && status === "422") return { description: "Not documented." };
  return { $ref: "#/components/schemas/Error" };
}

function pathParameters({ path }: Operation): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters({ query = {}, list }: Operation): Json[] {
  const paging =
    list === undefined ? {} : { page: "Page, from 1.", per_page: "Entries a page, 100 at most." };
  return Object.entries({ ...query, ...paging }).map(([name, description]) => ({
    name,
    in: "query",
    description,
    ...(shapes[name] ?? { schema: text }),
  }));
}

const text = { type: "string" };
const page = { schema: { type: "integer", minimum: 0 } };
const texts = { schema: { type: "array", items: text }, style: "form", explode: true };
const textsByKey = {
  schema: { type: "object", additionalProperties: text },
  style: "deepObject",
  explode: true,
};

const shapes: Readonly<Record<string, Json>> = {
  page,
  per_page: page,
  branch: texts,
  state: texts,
  meta_data: textsByKey,
};

/** Returns the JSON schema of a zod schema; parts that have a name become components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Record<string, unknown>): Json {
  const { $schema: _, $defs = {}, id, ...own } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
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
