import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BuildPipelineError,
  FollowTimeoutError,
  NotFoundError,
  UnexpectedResponseError,
  UnexpectedStatusError,
  ValidationError,
} from "../../src/client/index.js";
import { ACCESS_TOKEN, BUILD, CLUSTER, connect, instantClock, json, rejection, serve } from "./service.js";

/** Everything a terminal or a log must not get from a message. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const NASTY = "a\u001b[2J\r\nerror: b\u202e\u0085c";

function raw(response: ServerResponse, status: number, body: string | Buffer, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

describe("the access token stays with its origin", () => {
  test.each([301, 302, 303, 307, 308])("a %i to elsewhere is an error", async (status) => {
    const elsewhere = await serve((_, response) => json(response, 200, CLUSTER));
    const service = await serve((_, response) =>
      response.writeHead(status, { location: `${elsewhere.url}/v2/x` }).end(),
    );
    const client = connect(service.url);
    for (const call of [client.clusters.get("c-1"), client.clusters.create({ name: "x" })]) {
      expect(await rejection(call)).toBeInstanceOf(UnexpectedStatusError);
    }
    expect(service.seen).toHaveLength(2);
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
    ["no address", () => "http://[/"],
  ])("a next page with %s is an error", async (_, link) => {
    const elsewhere = await serve((_request, response) => json(response, 200, []));
    const service = await serve((_request, response) => {
      const address = link(new URL(service.url), new URL(elsewhere.url));
      json(response, 200, [], { link: `<${address}>; rel="next"` });
    });
    const error = await rejection(connect(service.url).clusters.list().all());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ field: "Link header" });
    expect(service.seen).toHaveLength(1);
    expect(elsewhere.seen).toEqual([]);
  });
});

test("the access token in the address of a next page stays out of the error", async () => {
  const service = await serve((_, response) =>
    json(response, 200, [], { link: `<https://${ACCESS_TOKEN}.example.com/>; rel="next"` }),
  );
  const error = await rejection(connect(service.url).clusters.list().all());
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(String(error)).not.toContain(ACCESS_TOKEN);
});

describe("bodies", () => {
  test("with prototype keys change no prototype", async () => {
    const body = `{"id":"c-1","name":"Linux","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
    const service = await serve(({ method }, response) => raw(response, method === "GET" ? 200 : 422, body));
    const client = connect(service.url);
    const cluster = await client.clusters.get("c-1");
    const error = await rejection(client.clusters.create({ name: "x" }));
    expect(error).toBeInstanceOf(ValidationError);
    for (const value of [{}, cluster, error]) expect(Reflect.get(Object(value), "polluted")).toBe(undefined);
    expect(Object.getPrototypeOf(cluster)).toBe(Object.prototype);
  });

  test("are not unpacked, so that a small one cannot become a large one", async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, "[]"));
    const service = await serve(({ path }, response) =>
      raw(response, path.endsWith("c-1") ? 200 : 404, bomb, { "content-encoding": "gzip" }),
    );
    const client = connect(service.url, { maxRetries: 0 });
    expect(await rejection(client.clusters.get("c-1"))).toBeInstanceOf(UnexpectedResponseError);
    expect(await rejection(client.clusters.get("c-2"))).toBeInstanceOf(NotFoundError);
    expect(service.seen.map(({ headers }) => headers["accept-encoding"])).toEqual([undefined, undefined]);
  });

  test.each([101, 5_000_000])(
    "nested %i deep are an error of the class that the status says",
    async (depth) => {
      const service = await serve(({ path }, response) =>
        raw(response, path.endsWith("c-1") ? 200 : 404, "[".repeat(depth) + "]".repeat(depth)),
      );
      const client = connect(service.url);
      const error = await rejection(client.clusters.get("c-1"));
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error).toMatchObject({ field: "body", message: expect.stringContaining("nested") });
      expect(await rejection(client.clusters.get("c-2"))).toBeInstanceOf(NotFoundError);
      expect(service.seen).toHaveLength(2);
    },
  );

  test("nested in a field nobody knows are an error too, brackets in text are not", async () => {
    const deep = JSON.stringify({ ...CLUSTER, more: JSON.parse("[".repeat(200) + "]".repeat(200)) });
    const flat = JSON.stringify({ ...CLUSTER, description: `\\"${"[{".repeat(200)}` });
    const service = await serve((_, response, turn) => raw(response, 200, turn === 1 ? deep : flat));
    const client = connect(service.url);
    expect(await rejection(client.clusters.get("c-1"))).toBeInstanceOf(UnexpectedResponseError);
    expect(await client.clusters.get("c-1")).toMatchObject(CLUSTER);
  });

  test("of refusals that never end are not waited for", async () => {
    const service = await serve((_, response) => {
      response.writeHead(404, { "content-type": "application/json" });
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    });
    const error = await rejection(connect(service.url).clusters.get("c-1"));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ serviceMessage: "" });
  });

  test("of 36 MB in a refusal are not read", async () => {
    const service = await serve((_, response) => json(response, 422, { message: "x".repeat(36_000_000) }));
    const error = await rejection(connect(service.url).clusters.create({ name: "x" }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ serviceMessage: "", attempts: 1 });
  });
});

describe("secrets in a refusal", () => {
  const secret = (index: number) => `s3cret-${index}-${"x".repeat(index % 7)}`;
  const refusal = (count: number) => ({
    message: `unknown: ${secret(count - 1)}, ${secret(0)}`,
    errors: Array.from({ length: count }, (_, index) => ({ token: secret(index), at: secret(index) })),
  });

  test.each([1, 2, 50, 51, 400, 4_000, 20_000])("%i of them stay out of the error", async (count) => {
    const service = await serve((_, response) => json(response, 422, refusal(count)));
    const error = await rejection(connect(service.url).clusters.create({ name: "x" }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });

  test("are hidden whole, also where one begins another or the mark of what is hidden", async () => {
    const texts = fc.array(fc.stringMatching(/^[redact[\]a-e"\\]{4,12}$/), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(texts, async (secrets) => {
        const body = { message: secrets.join("\u0001"), list: secrets.map((token) => ({ token })) };
        const service = await serve((_, response) => json(response, 404, body));
        const error = await rejection(connect(service.url).clusters.get("c-1"));
        await service.stop();
        const said = error instanceof NotFoundError ? error.serviceMessage : undefined;
        expect(said?.replaceAll("[redacted]", "").trim()).toBe("");
      }),
      { numRuns: 50 },
    );
  });

  test("that are no well-formed text do not change the error's class", async () => {
    const service = await serve((_, response) =>
      raw(response, 404, `{"token":"\\ud800abcd","message":"no"}`),
    );
    expect(await rejection(connect(service.url).clusters.get("c-1"))).toBeInstanceOf(NotFoundError);
  });
});

describe("control characters stay out of messages", () => {
  async function messageOf(call: Promise<unknown>): Promise<string> {
    const error = await rejection(call);
    if (!(error instanceof BuildPipelineError)) throw error;
    expect(JSON.stringify(error.message)).not.toMatch(CONTROL);
    return error.message;
  }

  test("in what the service says", async () => {
    const service = await serve((_, response) => json(response, 404, { message: NASTY }));
    expect(await messageOf(connect(service.url).clusters.get("c-1"))).toContain("a [2J error: b c");
  });

  test("in the keys of a record", async () => {
    const service = await serve((_, response) => json(response, 200, { ...BUILD, env: { [NASTY]: 7 } }));
    const call = connect(service.url).builds.get("storefront", 42);
    const error = await rejection(call);
    expect(error).toMatchObject({ field: "env.a [2J error: b c" });
    expect(await messageOf(Promise.reject(error))).toContain("env.a [2J");
  });

  test("in the access token as the key of a record", async () => {
    const service = await serve((_, response) =>
      json(response, 200, { ...BUILD, env: { [ACCESS_TOKEN]: 7 } }),
    );
    expect(await messageOf(connect(service.url).builds.get("storefront", 42))).not.toContain(ACCESS_TOKEN);
  });

  test("in the state of a build", async () => {
    const service = await serve((_, response) =>
      json(response, 200, { ...BUILD, state: NASTY.repeat(1_000) }),
    );
    const call = connect(service.url).builds.follow("storefront", 42, { timeoutMs: 1 });
    const error = await rejection(call);
    expect(error).toBeInstanceOf(FollowTimeoutError);
    expect((await messageOf(Promise.reject(error))).length).toBeLessThan(500);
    expect(error).toMatchObject({ state: expect.not.stringMatching(CONTROL) });
  });

  test("in the names of limits", async () => {
    const service = await serve((_, response) => json(response, 429, { scope: NASTY, reset: 86_400 }));
    const error = await rejection(connect(service.url).clusters.get("c-1"));
    expect(error).toMatchObject({ name: "RateLimitError", scope: undefined });
  });

  test("in arguments", async () => {
    const client = connect("http://127.0.0.1:1", { maxRetries: 0 });
    await messageOf(client.clusters.get(NASTY));
    await messageOf(client.builds.follow(NASTY, 1));
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
    const service = await serve((_request, response) => json(response, status, body, headers));
    const clock = instantClock();
    await rejection(connect(service.url, { clock }).clusters.get("c-1"));
    for (const wait of clock.waits) {
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(300_000);
    }
    expect(clock.waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(900_000);
  });
});
