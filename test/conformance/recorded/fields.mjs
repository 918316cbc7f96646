// Compares the fields of recorded responses with those that the emulator's OpenAPI description allows.

/** @typedef {Readonly<Record<string, unknown>>} Json */

/**
 * The fields of a response, or of the entries of a list, by their paths (`jobs[].agent.name`), with their JSON types.
 *
 * @typedef {Map<string, Set<string>>} Fields
 */

/**
 * A field that the emulator may return. `open` means that its content is up to the user, such as the keys of `env`.
 *
 * @typedef {{ types: Set<string>, isOptional: boolean, isOpen: boolean }} Described
 */

/** @typedef {{ field: string, recorded: string, emulator: string }} Difference */

/** @param {unknown} value @param {string} path @returns {string} Path of a property. */
const within = (path, value) => (path === "" ? String(value) : `${path}.${value}`);

/** @param {unknown} response @returns {Fields} */
export function fieldsOf(response) {
  /** @type {Fields} */
  const fields = new Map();
  const look = (/** @type {string} */ path, /** @type {unknown} */ value) => {
    const types = fields.get(path) ?? new Set();
    fields.set(path, types.add(typeOf(value)));
    if (Array.isArray(value)) for (const entry of value) look(`${path}[]`, entry);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) look(within(path, name), inner);
  };
  // A list's entries are its fields' owners, as a single entity is.
  for (const entity of Array.isArray(response) ? response : [response]) look("", entity);
  return fields;
}

/** @param {unknown} value */
function typeOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/**
 * Returns what the emulator's description says of an operation's successful response.
 *
 * @param {Json} description Of OpenAPI.
 * @param {string} operation
 * @returns {{ status: number, fields: Map<string, Described> }}
 */
export function describedResponse(description, operation) {
  const all = Object.values(Object(description.paths)).flatMap((methods) => Object.values(methods));
  const found = all.find(({ operationId }) => operationId === operation);
  const [status = "", response] =
    Object.entries(found.responses).find(([code]) => code.startsWith("2")) ?? [];
  const schema = response?.content?.["application/json"].schema;
  /** @type {Map<string, Described>} */
  const fields = new Map();
  const look = (/** @type {string} */ path, /** @type {any} */ given, isOptional = false) => {
    const schema = given.$ref === undefined ? given : at(description, given.$ref);
    const described = fields.get(path) ?? { types: new Set(), isOptional, isOpen: false };
    fields.set(path, described);
    for (const part of schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) look(path, part, isOptional);
    const types = [schema.type ?? []].flat();
    for (const type of types) described.types.add(type === "integer" ? "number" : type);
    if (schema.items !== undefined) look(`${path}[]`, schema.items);
    // Without properties, an object has the keys that a user chose; without a type, anything may come.
    const isComposed = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (types.length === 0 ? !isComposed : types.includes("object") && !schema.properties)
      described.isOpen = true;
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      look(within(path, name), property, !(schema.required ?? []).includes(name));
  };
  if (schema !== undefined) look("", schema.type === "array" ? schema.items : schema);
  return { status: Number(status), fields };
}

/** @param {Json} description @param {string} reference @returns {any} */
function at(description, reference) {
  const steps = reference.replace(/^#\//, "").split("/");
  return steps.reduce((value, step) => Object(value)[step], /** @type {unknown} */ (description));
}

/** @param {string} path @returns {string | undefined} Path of what contains the field. */
function ownerOf(path) {
  if (path === "") return undefined;
  if (path.endsWith("[]")) return path.slice(0, -2);
  return path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

/**
 * Returns the recorded fields without the content of those that have keys of a user, or that the emulator doesn't know.
 *
 * @param {Fields} recorded
 * @param {ReadonlyMap<string, Described>} described
 * @returns {Fields}
 */
export function withoutContent(recorded, described) {
  return new Map([...recorded].filter(([path]) => isKnown(ownerOf(path), described)));
}

/** @param {string | undefined} path @param {ReadonlyMap<string, Described>} described @returns {boolean} */
function isKnown(path, described) {
  if (path === undefined) return true;
  const own = described.get(path);
  return own !== undefined && !own.isOpen && isKnown(ownerOf(path), described);
}

/**
 * Returns each field in which a recorded response and the emulator's description differ.
 *
 * @param {Fields} recorded
 * @param {ReadonlyMap<string, Described>} described
 * @returns {Difference[]}
 */
export function differences(recorded, described) {
  /** @type {Difference[]} */
  const found = [];
  const words = (/** @type {Iterable<string>} */ types) => [...types].sort().join(" or ");
  for (const [field, types] of withoutContent(recorded, described)) {
    const own = described.get(field);
    if (own === undefined) found.push({ field, recorded: words(types), emulator: "absent" });
    else if (!own.isOpen && ![...types].every((type) => own.types.has(type)))
      found.push({ field, recorded: words(types), emulator: words(own.types) });
  }
  for (const [field, { types, isOptional }] of described) {
    const owner = ownerOf(field);
    if (recorded.has(field) || owner === undefined || field.endsWith("[]")) continue;
    if (!recorded.get(owner)?.has("object")) continue;
    found.push({ field, recorded: "absent", emulator: `${words(types)}${isOptional ? ", optional" : ""}` });
  }
  return found;
}
