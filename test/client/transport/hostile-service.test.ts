import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BuildPipelineError,
  NotFoundError,
  UnexpectedResponseError,
  UnexpectedStatusError,
  ValidationError,
} from "../../../src/client/index.js";
import { cases } from "../../support/cases.js";
import {
  ACCESS_TOKEN,
  answer,
  BUILD,
  type Call,
  CLUSTER,
  create,
  failure,
  get,
  list,
  type Respond,
  raw,
  rejection,
  serve,
  start,
} from "../service.js";

/** Everything a terminal or a log must not get from a message. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const NASTY = "a\u001b[2J\r\nerror: b\u202e\u0085c";

describe("the access token stays with its origin", () => {
  test.each([301, 302, 303, 307, 308])("a %i to elsewhere is an error", async (status) => {
    const elsewhere = await serve(answer(200, CLUSTER));
    const { client, seen } = await start(answer(status, "", { location: `${elsewhere.url}/v2/x` }));
    for (const call of [get, create])
      expect(await rejection(call(client))).toBeInstanceOf(UnexpectedStatusError);
    expect(seen).toHaveLength(2);
    expect(elsewhere.seen).toEqual([]);
  });

  test.each<[string, (own: URL, elsewhere: URL) => string]>([
    ["another host", (_, elsewhere) => `${elsewhere.origin}/v2/x`],
    ["another host without a scheme", (_, elsewhere) => `//${elsewhere.host}/v2/x`],
    ["another host with backslashes", (_, elsewhere) => `\\\\${elsewhere.host}\\v2\\x`],
    ["another host behind a user name", (own, elsewhere) => `http://${own.host}@${elsewhere.host}/v2/x`],
    ["blob: of its own origin", (own) => `blob:${own.origin}/v2/x`],
    ["blob: of another", (_, elsewhere) => `blob:${elsewhere.origin}/v2/x`],
    ["data:", () => "data:application/json,[]"],
    ["file:", () => "file:///etc/passwd"],
    ["javascript:", () => "javascript:alert(1)"],
    ["https: instead of http:", (own) => `https://${own.host}/v2/x`],
    ["another port", (own) => `http://${own.hostname}:1/v2/x`],
    ["the access token in it", () => `https://${ACCESS_TOKEN}.example.com/`],
    ["no address", () => "http://[/"],
  ])("a next page with %s is an error", async (_, link) => {
    const elsewhere = await serve(answer(200, []));
    const { client, url, seen } = await start((...request) => {
      const address = link(new URL(url), new URL(elsewhere.url));
      answer(200, [], { link: `<${address}>; rel="next"` })(...request);
    });
    const error = await rejection(list(client));
    expect(error).toMatchObject({ name: "UnexpectedResponseError", field: "Link header" });
    expect(String(error)).not.toContain(ACCESS_TOKEN);
    expect(seen).toHaveLength(1);
    expect(elsewhere.seen).toEqual([]);
  });
});

describe("bodies", () => {
  /** A success for the cluster `c-1`, and a refusal for any other. */
  const asStatusSays =
    (body: string | Buffer, headers = {}): Respond =>
    (...request) =>
      raw(request[0].path.endsWith("c-1") ? 200 : 404, body, "application/json", headers)(...request);
  const getOther: Call = (c) => c.clusters.get("c-2");

  test("with prototype keys change no prototype", async () => {
    const body = `{"id":"c-1","name":"Linux","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
    const { client } = await start(asStatusSays(body));
    const cluster = await get(client);
    const error = await rejection(getOther(client));
    expect(error).toBeInstanceOf(NotFoundError);
    for (const value of [{}, cluster, error]) expect(Reflect.get(Object(value), "polluted")).toBe(undefined);
    expect(Object.getPrototypeOf(cluster)).toBe(Object.prototype);
  });

  test("are not unpacked, so that a small one cannot become a large one", async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, "[]"));
    const packed = asStatusSays(bomb, { "content-encoding": "gzip" });
    const { client, seen } = await start(packed, { maxRetries: 0 });
    const gateway = { message: expect.stringContaining("A gateway compressed the response (gzip), though") };
    const success = await rejection(get(client));
    expect(success).toBeInstanceOf(UnexpectedResponseError);
    expect(success).toMatchObject({ ...gateway, field: "body", attempts: 1 });
    expect(success).toMatchObject({ message: expect.not.stringContaining("update this package") });
    const refusal = await rejection(getOther(client));
    expect(refusal).toBeInstanceOf(NotFoundError);
    expect(refusal).toMatchObject(gateway);
    expect(seen.map(({ headers }) => headers["accept-encoding"])).toEqual(["identity", "identity"]);
  });

  test("that say they are compressed, and are not, are read", async () => {
    const { client } = await start(
      raw(200, JSON.stringify(CLUSTER), "application/json", { "content-encoding": "br" }),
    );
    expect(await get(client)).toEqual(CLUSTER);
  });

  test.each([101, 500_000])(
    "nested %s deep are an error of the class that the status says",
    async (levels) => {
      const { client, seen } = await start(asStatusSays("[".repeat(levels) + "]".repeat(levels)));
      expect(await rejection(get(client))).toMatchObject({ name: "UnexpectedResponseError", field: "body" });
      expect(await rejection(getOther(client))).toBeInstanceOf(NotFoundError);
      expect(seen).toHaveLength(2);
    },
  );

  test("with a field that is nested deeper than anybody can read are read up to there", async () => {
    const half = ["\\ud800", "x"];
    for (const text of half) {
      const body = `{"id":"c-1","name":"Linux","x":${"[".repeat(200)}"${text}"${"]".repeat(200)}}`;
      const cluster = await get((await start(asStatusSays(body))).client);
      expect(cluster).toMatchObject({ id: "c-1", name: "Linux" });
      expect(JSON.stringify(cluster)).toContain(`${"[".repeat(99)}"(nested deeper)"${"]".repeat(99)}`);
    }
  });

  test("of refusals whose reasons are nested in each other are read in no time", async () => {
    let reason: unknown = "no";
    for (let level = 0; level < 40; level += 1) reason = { a: { message: reason } };
    const error = await failure(answer(404, reason), get);
    expect(error).toMatchObject({ name: "NotFoundError", serviceMessage: expect.stringContaining('"a"') });
  });

  test("of refusals that never end are not waited for", async () => {
    const error = await failure((_, response) => {
      response.writeHead(404, { "content-type": "application/json" });
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    }, get);
    expect(error).toMatchObject({ name: "NotFoundError", serviceMessage: "" });
  });
});

describe("secrets in a refusal", () => {
  const secret = (index: number) => `s3cret-${index}-${"x".repeat(index % 7)}`;

  test.each([1, 2, 50, 51, 400, 4_000, 20_000])("%i of them stay out of the error", async (count) => {
    const message = `unknown: ${secret(count - 1)}, ${secret(0)}`;
    const errors = Array.from({ length: count }, (_, index) => ({ token: secret(index), at: secret(index) }));
    const error = await failure(answer(422, { message, errors }), create);
    expect(error).toBeInstanceOf(ValidationError);
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });

  test("are hidden whole, also where one begins another or the mark of what is hidden", async () => {
    const texts = fc.array(fc.stringMatching(/^[redact[\]a-e"\\]{4,12}$/), { minLength: 1, maxLength: 8 });
    let body: unknown;
    const { client } = await start((...request) => answer(404, body)(...request));
    await fc.assert(
      fc.asyncProperty(texts, async (secrets) => {
        body = { message: secrets.join("\u0001"), list: secrets.map((token) => ({ token })) };
        const error = await rejection(get(client));
        const said = error instanceof NotFoundError ? error.serviceMessage : undefined;
        expect(said?.replaceAll("[redacted]", "").trim()).toBe("");
      }),
      { numRuns: cases(50) },
    );
  });

  test.each([
    [{ message: "Invalid", errors: [{ field: "key", code: "taken" }] }, "Invalid: key taken"],
    [{ errors: [{ source: { pointer: "/key" }, detail: "is taken" }] }, "pointer /key is taken"],
    [{ base: ["is taken"], key: ["is blank"] }, "is taken, key is blank"],
    [{ error: { reason: "No", name: "Key" } }, "Key No"],
  ])("leave the form of %o, whose names they have", async (body, serviceMessage) => {
    const names = [...JSON.stringify(body).matchAll(/"(\w+)":/g)].map(([, name]) => name);
    for (const value of names.filter((name) => !serviceMessage.includes(`${name}`))) {
      const error = await failure(answer(422, body), (client) =>
        client.clusterSecrets.create("c-1", { key: "KEY", value: `${value}` }),
      );
      expect(error).toMatchObject({ name: "ValidationError", serviceMessage });
    }
  });

  test("that are no well-formed text do not change the error's class", async () => {
    const error = await failure(raw(404, `{"token":"\\ud800abcd","message":"no"}`), get);
    expect(error).toBeInstanceOf(NotFoundError);
  });
});

describe("control characters stay out of messages", () => {
  const follow: Call = (c) => c.builds.follow("storefront", 42, { timeoutMs: 1 });
  const followNasty: Call = (c) => c.builds.follow(NASTY, 42, { timeoutMs: 1 });

  test.each<[string, Respond, Call, object]>([
    ["what the service says", answer(404, { message: NASTY }), get, { serviceMessage: "a [2J error: b c" }],
    [
      "the state of a build",
      answer(200, { ...BUILD, state: NASTY.repeat(1_000) }),
      follow,
      { name: "FollowTimeoutError", state: expect.not.stringMatching(CONTROL) },
    ],
    ["the names of limits", answer(429, { scope: NASTY, reset: 86_400 }), get, { scope: undefined }],
    ["an id that is an argument", answer(404, {}), (c) => c.clusters.get(NASTY), { status: 404 }],
    ["a slug that is an argument", answer(200, BUILD), followNasty, { name: "FollowTimeoutError" }],
  ])("in %s", async (_, respond, call, expected) => {
    const error = await failure(respond, call);
    if (!(error instanceof BuildPipelineError)) throw error;
    expect(error).toMatchObject(expected);
    expect(JSON.stringify(error.message)).not.toMatch(CONTROL);
    expect(error.message).not.toContain(ACCESS_TOKEN);
    expect(error.message.length).toBeLessThan(500);
  });
});

describe("waits that a service asks for", () => {
  test.each<[string, number, unknown, Record<string, string>]>([
    ["negative, in a body", 429, { reset: -5 }, {}],
    ["negative, in a header", 429, {}, { "RateLimit-Remaining": "0", "RateLimit-Reset": "-5" }],
    ["huge, in a body", 429, { reset: 1e300 }, {}],
    ["huge, in a header", 429, {}, { "RateLimit-Remaining": "0", "RateLimit-Reset": "9".repeat(300) }],
    ["endless", 429, {}, { "Retry-After": "Infinity" }],
    ["no number", 429, { reset: "soon" }, { "Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT" }],
    ["negative, of a proxy", 503, {}, { "Retry-After": "-1" }],
    ["huge, of a proxy", 503, {}, { "Retry-After": "1e300" }],
  ])("are bounded: %s", async (_, status, body, headers) => {
    const { client, waits } = await start(answer(status, body, headers));
    await rejection(get(client));
    for (const wait of waits) {
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(300_000);
    }
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(900_000);
  });
});
