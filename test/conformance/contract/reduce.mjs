// What an OpenAPI document says of suites and runs, as far as the client depends on it: operations, names and types.

/** @typedef {Record<string, any>} Json */

/** Paths of documents differ in what stands before the organization, and in the names of placeholders. */
const COLLECTION =
  /(?:^|\/)organizations\/\{[^}]+\}\/suites(?<rest>(?:\/\{[^}]+\}(?:\/runs(?:\/\{[^}]+\})?)?)?)\/?$/;
const METHODS = ["get", "post", "put", "patch", "delete"];
/** What the emulator accepts beside the documentation, in the query and in bodies. The client sends neither. */
const [QUERY_NOT_SENT, NOT_SENT] = ["show_api_token", ["teams_ids"]];
/** Documented for the response to a creation. Other responses may lack them. */
const OF_CREATIONS = ["api_token", "application_name", "color", "emoji"];
/** No response of this API comes near it, but a schema may contain itself. */
const DEEPEST = 12;

/**
 * Returns a document with nothing else in it than the operations on suites and runs. It lacks formats, limits and texts, and
 * doesn't say what may be null or missing in a response, because the client accepts any of that.
 *
 * @param {Json} document Of OpenAPI 3, without references.
 * @returns {Json}
 */
export function reduced({ openapi, paths = {} }) {
  /** @type {Json} */
  const own = {};
  for (const [given, item] of Object.entries(paths)) {
    const found = COLLECTION.exec(given);
    if (found === null) continue;
    const path = named(`/v2/analytics/organizations/{}/suites${found.groups?.rest}`);
    for (const method of METHODS) {
      if (item[method] === undefined) continue;
      const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])];
      own[path] = { ...own[path], [method]: operation(method, item[method], parameters, path) };
    }
  }
  return { openapi, info: { title: "Suites and runs", version: "2" }, paths: own };
}

/** @param {string} path @returns {string} The path with placeholders that are called alike in every document. */
function named(path) {
  const names = ["org_slug", "suite_slug", "run_id"].values();
  return path.replaceAll(/\{[^}]*\}/g, () => `{${names.next().value}}`);
}

/** @param {string} method @param {Json} given @param {readonly Json[]} parameters @param {string} path @returns {Json} */
function operation(method, { requestBody, responses }, parameters, path) {
  const [, success] = Object.entries(responses ?? {}).find(([status]) => status.startsWith("2")) ?? [];
  const [sent, answered] = [jsonIn(requestBody), jsonIn(success)];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { name, in: "path", required: true, schema: { type: "string" } };
  });
  const inQuery = parameters
    .filter((one) => one.in === "query" && one.name !== QUERY_NOT_SENT)
    .map(({ name, required = false }) => ({ name, in: "query", required, schema: {} }));
  const leftOut = method === "post" ? [] : OF_CREATIONS;
  return {
    parameters: [...inPath, ...inQuery],
    ...(sent && { requestBody: content(reducedSchema(sent, NOT_SENT, true)) }),
    // The client accepts any success.
    responses: {
      200: { description: "", ...(answered && content(reducedSchema(answered, leftOut, false))) },
    },
  };
}

const content = (/** @type {Json} */ schema) => ({ content: { "application/json": { schema } } });

/** @param {any} given @returns {Json | undefined} */
function jsonIn(given) {
  const [, found] = Object.entries(given?.content ?? {}).find(([type]) => type.includes("json")) ?? [];
  return found?.schema;
}

/**
 * @param {any} given
 * @param {readonly string[]} leftOut Properties.
 * @param {boolean} isRequest
 * @param {number} [depth]
 * @returns {Json}
 */
function reducedSchema(given, leftOut, isRequest, depth = 0) {
  if (typeof given !== "object" || given === null || depth > DEEPEST) return {};
  const inner = (/** @type {unknown} */ one) => reducedSchema(one, leftOut, isRequest, depth + 1);
  const choices = (given.anyOf ?? given.oneOf)?.filter((/** @type {Json} */ one) => one.type !== "null");
  const types = [given.type ?? []].flat().filter((type) => type !== "null");
  const properties = Object.entries(given.properties ?? {})
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, one]) => [name, inner(one)]);
  const own = {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(given.items && { items: inner(given.items) }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(isRequest && given.required && { required: given.required }),
    ...(given.allOf && { allOf: given.allOf.map(inner) }),
  };
  if (choices === undefined) return own;
  return choices.length === 1 ? { ...own, ...inner(choices[0]) } : { ...own, anyOf: choices.map(inner) };
}
