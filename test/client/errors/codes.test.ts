import { expect, test } from "vitest";
import { BuildPipelineError } from "../../../src/client/index.js";
import { readMessages } from "../../../tools/generate/messages.js";
import { CHECKOUT } from "../../support/checkout.js";
import {
  answer,
  BUILD,
  type Call,
  connect,
  create,
  cutOff,
  failure,
  get,
  hangUp,
  type Respond,
  remove,
} from "../service.js";

const quick = { timeoutMs: 1 };

/** A failure for each code and each way to it: what the service answers, and the call that meets it. */
const FAILURES: readonly (readonly [code: string, when: string, answer: Respond, call: Call])[] = [
  ["argument-invalid", "an empty id", hangUp, (client) => client.clusters.get("")],
  ["setting-invalid", "an address of another scheme", hangUp, async () => connect("ftp://ci.example")],
  ["bad-request", "400", answer(400), get],
  ["token-refused", "401", answer(401), get],
  ["scope-missing", "a 403 that names a scope", answer(403, { message: "Scope read_clusters needed" }), get],
  ["permission-missing", "another 403", answer(403), get],
  ["not-found", "404", answer(404), get],
  ["proxy-refused", "407", answer(407), get],
  ["service-problem", "408", answer(408), get],
  ["conflict", "409", answer(409), get],
  ["value-refused", "a 422 with fields", answer(422, { message: "name is taken" }), create],
  ["value-refused", "a 422 without a reason", answer(422), create],
  ["deletion-prevented", "a 422 to a deletion", answer(422, { message: "has agents" }), remove],
  ["busy", "a 422 for now", answer(422, { message: "is locked" }), create],
  ["busy", "423", answer(423), get],
  ["busy", "425", answer(425), get],
  ["rate-limit", "429", answer(429), get],
  ["service-problem", "a 503 to a read", answer(503), get],
  ["service-problem", "a 503 to a change", answer(503), create],
  ["status-unexpected", "418", answer(418), get],
  ["response-unexpected", "a list in place of an object", answer(200, []), get],
  ["not-delivered", "no service", hangUp, () => get(connect("http://127.0.0.1:1"))],
  ["no-response", "a read that is cut off", cutOff(200, "{"), get],
  ["perhaps-carried-out", "a change that is cut off", cutOff(201, "{"), create],
  ["perhaps-carried-out", "no response", () => {}, ({ clusters }) => clusters.create({ name: "x" }, quick)],
  ["build-unfinished", "a start", answer(200, BUILD), ({ builds }) => builds.follow("shop", 42, quick)],
];

test.each(FAILURES)("The code is %s after %s", async (code, _, respond, call) => {
  const error = await failure(respond, call, { maxRateLimitWaitMs: 0 });
  expect(error).toBeInstanceOf(BuildPipelineError);
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code });
});

test("Each code of the client has a failure here, and a row in the error reference", () => {
  const codes = new Set(FAILURES.map(([code]) => code));
  const messages = readMessages(CHECKOUT);
  const own = messages.filter(({ file }) => file.startsWith("src/client/errors/"));
  expect(own.length).toBeGreaterThan(10);
  expect(own.map(({ code }) => code).filter((code) => !codes.has(code))).toEqual([]);
  const explained = messages.map(({ code }) => code);
  expect([...codes].filter((code) => !explained.includes(code))).toEqual([]);
});
