// Plays recorded traffic through the typed client, as users get it: the client must send the recorded request, and accept
// the recorded response.
import { createServer } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { ApiError, BuildPipelineClient, operations } from "../../../dist/client/index.js";

/** @typedef {import("./recordings.mjs").Recording} Recording */
/** @typedef {(typeof operations)[number]} Operation */

/**
 * What came of a recording.
 *
 * @typedef {object} Played
 * @property {Recording} recording
 * @property {string} operation Its id.
 * @property {string | undefined} problem Why client and recording disagree.
 * @property {readonly string[]} otherwise How the client's request differs from the recorded one where both mean the same.
 * @property {unknown} result What the client returned.
 */

/** Queries of reads that the API doesn't document and the client never sends. `probe` asks what they do. */
const NOT_SENT = ["show_api_token"];

/** The client's two methods for a change. Buildkite documents one of them for each operation, and accepts both. */
const changes = ["PATCH", "PUT"];

/**
 * Returns the operation that a recording is of; undefined if the client has none.
 *
 * @param {Pick<Recording, "method" | "url">} recording
 * @returns {Operation | undefined}
 */
export function operationOf({ method, url }) {
  if (NOT_SENT.some((name) => url.searchParams.has(name))) return undefined;
  const at = operations.filter(({ path }) => idsIn(path, url) !== undefined);
  const isTwin = (/** @type {Operation} */ one) => changes.includes(one.method) && changes.includes(method);
  return at.find((one) => one.method === method) ?? at.find(isTwin);
}

/**
 * Returns the values of a path's placeholders by their names; undefined if it is another path.
 *
 * @param {string} template
 * @param {URL} url
 * @returns {Record<string, string> | undefined}
 */
function idsIn(template, { pathname }) {
  const pattern = template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const found = new RegExp(`^${pattern}/?$`).exec(pathname);
  if (found === null) return undefined;
  return Object.fromEntries(
    Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}

/**
 * Plays recordings one after the other, each against a server that answers with it. Leaves out those of no operation.
 *
 * @param {readonly Recording[]} recordings
 * @returns {Promise<Played[]>}
 */
export async function play(recordings) {
  /** @type {Recording | undefined} */
  let current;
  /** @type {import("node:http").IncomingMessage & { body: string } | undefined} */
  let arrived;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    arrived ??= Object.assign(request, { body });
    response.writeHead(current?.status ?? 500, {
      "content-type": current?.contentType ?? "application/json",
    });
    response.end(current?.status === 204 ? undefined : current?.text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
  try {
    const played = [];
    for (const recording of recordings) {
      const operation = operationOf(recording);
      if (operation === undefined) continue;
      [current, arrived] = [recording, undefined];
      const { result, failure } = await call(baseUrl, operation, recording);
      const { problem, otherwise } = compare(recording, arrived);
      const said = problem ?? problemOfResult(recording, failure);
      played.push({ recording, operation: operation.id, problem: said, otherwise, result });
    }
    return played;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/**
 * @param {string} baseUrl @param {Operation} operation @param {Recording} recording
 * @returns {Promise<{ result?: unknown, failure?: unknown }>}
 */
async function call(baseUrl, { id, path, method }, { url, sent }) {
  const { org_slug: organization = "recorded", ...ids } = idsIn(path, url) ?? {};
  const client = new BuildPipelineClient({ baseUrl, organization, accessToken: "played", maxRetries: 0 });
  const given = Object.entries(ids).map(([name, value]) => (name === "number" ? Number(value) : value));
  const payload = method === "GET" ? queryOf(url) : bodyFor(id, sent);
  try {
    const [group = "", name = ""] = id.split(".");
    const section = Reflect.get(client, group);
    const called = section[name](...given, ...(payload === undefined ? [] : [payload]));
    return { result: await (typeof called.all === "function" ? called.all() : called) };
  } catch (failure) {
    return { failure };
  } finally {
    await client.close();
  }
}

/**
 * Returns a request's query without the page, which the client chooses itself; undefined if nothing else is in it.
 *
 * @param {Pick<URL, "searchParams">} url
 */
function queryOf({ searchParams }) {
  const names = [...new Set(searchParams.keys())].filter((name) => !/^(?:per_)?page$/.test(name));
  if (names.length === 0) return undefined;
  return Object.fromEntries(
    names.map((name) => [
      name.replace(/\[\]$/, ""),
      name.endsWith("[]") ? searchParams.getAll(name) : searchParams.get(name),
    ]),
  );
}

/** @param {string} id @param {unknown} sent @returns {unknown} The body as the client's method takes it. */
function bodyFor(id, sent) {
  if (sent === undefined || isDeepStrictEqual(sent, {})) return undefined;
  // The client sends the note in both spellings.
  if (id === "queues.pauseDispatch") return { note: Object(sent).note ?? Object(sent).dispatch_paused_note };
  return sent;
}

/**
 * @param {Recording} recording
 * @param {import("node:http").IncomingMessage & { body: string } | undefined} arrived
 * @returns {{ problem?: string, otherwise: string[] }}
 */
function compare({ method, url, sent = {} }, arrived) {
  if (arrived === undefined) return { problem: "the client sent no request", otherwise: [] };
  const { pathname, searchParams } = new URL(arrived.url ?? "", "http://127.0.0.1");
  /** @type {string[]} */
  const otherwise = [];
  if (arrived.method !== method) {
    if (!changes.includes(method)) return { problem: `the client sent ${arrived.method}`, otherwise };
    otherwise.push(`${arrived.method} instead of ${method}`);
  }
  if (pathname !== url.pathname.replace(/\/$/, ""))
    return { problem: `the client sent ${pathname}`, otherwise };
  if (!isDeepStrictEqual(queryOf({ searchParams }), queryOf(url)))
    return { problem: `the client sent the query ${searchParams}`, otherwise };
  const own = arrived.body === "" ? {} : JSON.parse(arrived.body);
  const lacking = Object.entries(Object(sent)).find(([name, value]) => !isDeepStrictEqual(own[name], value));
  if (lacking !== undefined) return { problem: `the client's body has another ${lacking[0]}`, otherwise };
  const added = Object.keys(own).filter((name) => !Object.hasOwn(Object(sent), name));
  if (added.length > 0) otherwise.push(`also sends ${added.map((name) => `\`${name}\``).join(", ")}`);
  return { otherwise };
}

/** @param {Recording} recording @param {unknown} failure @returns {string | undefined} */
function problemOfResult({ status }, failure) {
  if (failure instanceof ApiError) return failure.status === status ? undefined : failure.message;
  if (failure instanceof Error) return failure.message;
  return status < 300 ? undefined : `the client accepted a response with ${status}`;
}
