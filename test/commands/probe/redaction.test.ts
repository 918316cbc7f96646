import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Redaction } from "../../../src/commands/probe/redaction.js";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { renderOpenApi } from "../../../src/emulator/openapi.js";
import { instantClock } from "../../client/service.js";
import { evidenceOf } from "../../conformance/recorded/evidence.mjs";
import { describedResponse, differences, fieldsOf } from "../../conformance/recorded/fields.mjs";
import { play } from "../../conformance/recorded/play.mjs";
import { readRecordings } from "../../conformance/recorded/recordings.mjs";
import { buildpipeline, Scratch, settingsOf } from "../../support/command.js";

/** What belongs to an organization, and can't be mistaken for a word of the API. */
const own = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.emailAddress(),
  fc.ipV4(),
  fc.ipV6().filter((address) => address.length > 6),
  fc.stringMatching(/^[A-Z][a-z]{2}[A-Z0-9][a-z]{3}[ ._/-][A-Za-z0-9]{4,12}$/),
  fc.stringMatching(/^bk[a-z]{1,2}_[A-Za-z0-9]{12}$/),
);
const fields = fc.constantFrom(
  ...["id", "name", "slug", "url", "web_url", "email", "description", "state", "scopes", "message", "commit"],
  ...[
    "token",
    "api_token",
    "value",
    "webhook_url",
    "ip_address",
    "allowed_ip_addresses",
    "tags",
    "not_known_yet",
  ],
);
/** Where it may stand within a text. */
const places: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) =>
    `https://buildkite.com/${encodeURIComponent(text)}/builds?branch=${encodeURIComponent(text)}#${encodeURIComponent(text)}`,
  (text) => `https://api.buildkite.com/v2/organizations/${encodeURIComponent(text)}`,
  (text) => `Ask ${text} about it`,
  (text) => `git@${text}:shop.git`,
  (text) => Buffer.from(`Build---${text}`).toString("base64"),
  (text) => `${text} ${text}`,
];

const { entity } = fc.letrec((tie) => ({
  text: fc.tuple(own, fc.constantFrom(...places)).map(([text, place]) => place(text)),
  leaf: fc.oneof(tie("text"), fc.constantFrom(null, true, 7, "", "2023-08-20T19:41:01.000Z")),
  entity: fc
    .tuple(
      fc.dictionary(fields, fc.oneof(tie("leaf"), fc.array(tie("leaf"), { maxLength: 3 }), tie("entity")), {
        maxKeys: 6,
      }),
      fc.dictionary(own, tie("leaf"), { maxKeys: 3 }),
    )
    .map(([known, env]) => ({ ...known, env, meta_data: [...Object.keys(env)] })),
}));

/** Every text that was put in, by itself and as base64 hides it. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value, Buffer.from(value, "base64").toString("utf8")];
  if (typeof value !== "object" || value === null) return [];
  return [...Object.keys(value), ...Object.values(value)].flatMap(textsOf);
}

describe("The redaction of what a probe recorded", () => {
  test("leaves nothing of an organization, wherever it stands, and the type of each field", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(own, fc.constantFrom(...places)), { minLength: 1 }),
        entity,
        fields,
        (texts, rest, field) => {
          const given = { ...Object(rest), all: texts.map(([text, place]) => ({ [field]: place(text) })) };
          const redacted = new Redaction().value(given);
          const seen = textsOf(redacted).join("\n").toLowerCase();
          for (const [text] of texts) {
            expect(seen).not.toContain(text.toLowerCase());
            expect(seen).not.toContain(encodeURIComponent(text).toLowerCase());
          }
          for (const key of Object.keys(Object(rest).env)) expect(seen).not.toContain(key.toLowerCase());
          const types = (value: unknown) =>
            [...fieldsOf(value)]
              .filter(
                ([path]) => !/(?:^|\.)(?:(?:env|tags|meta_data)\.|token|api_token|webhook_url)/.test(path),
              )
              .map(([path, found]) => [path, [...found]]);
          expect(types(redacted)).toEqual(types(given));
        },
      ),
    );
  });

  test("gives a value the same stand-in everywhere, and another value another one", () => {
    fc.assert(
      fc.property(fc.uniqueArray(own, { selector: (text) => text.toLowerCase(), maxLength: 40 }), (texts) => {
        const redaction = new Redaction();
        const first = texts.map((text) => redaction.value(text, "name"));
        expect(new Set(first).size).toBe(texts.length);
        expect(texts.map((text) => redaction.value({ id: text }))).toEqual(first.map((id) => ({ id })));
        for (const [index, text] of texts.entries())
          expect(
            redaction.address(`/prefix/v2/organizations/${encodeURIComponent(text)}/clusters?page=2`),
          ).toBe(
            `https://api.example.com/v2/organizations/${String(first[index]).replace(/ /g, "%20")}/clusters?page=2`,
          );
      }),
    );
  });

  test("keeps what the API determines: times, states, words of paths, and the form of an opaque id", () => {
    const redaction = new Redaction();
    const id = "018a1474-29cb-4d8a-af27-92fa5ba89d93";
    const build = { id, state: "passed", number: 42, created_at: "2023-08-20T19:37:51.832Z", blocked: false };
    const graphql_id = Buffer.from(`Build---${id}`).toString("base64");
    const url = `https://api.buildkite.com/v2/organizations/acme/pipelines/shop/builds/42`;
    const mapped = "00000000-0000-4000-8000-000000000001";
    expect(redaction.value({ ...build, graphql_id, url })).toEqual({
      ...build,
      id: mapped,
      graphql_id: Buffer.from(`Build---${mapped}`).toString("base64"),
      url: expect.stringMatching(
        /^https:\/\/text-\d+\.example\.com\/v2\/organizations\/text-\d+\/pipelines\/text-\d+\/builds\/42$/,
      ),
    });
    expect(redaction.value({ state: "Acme's own" })).toEqual({ state: expect.stringMatching(/^text-/) });
  });
});

describe("`probe --record`", () => {
  let emulator: Emulator;
  let scratch: Scratch;
  beforeEach(async () => {
    emulator = await startEmulator();
    scratch = new Scratch();
  });
  afterEach(async () => {
    await emulator.close();
    scratch.remove();
  });

  test("writes what `npm test -- recorded` plays: every recording agrees, and none names the organization", async () => {
    const surroundings = { cwd: scratch.directory, env: settingsOf(emulator), clock: instantClock() };
    const folder = join(scratch.directory, "evidence");
    const { code, stderr } = await buildpipeline(
      ["probe", "--write", "--yes", "--record", folder],
      surroundings,
    );
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Requests and responses: .*probe-.*\.yml/)]);

    const recordings = readRecordings(folder);
    expect(recordings.length).toBe(emulator.requests.length);
    const played = await play(recordings);
    expect(
      played.flatMap(({ recording, problem }) =>
        problem ? [recording.method, recording.url.href, problem] : [],
      ),
    ).toEqual([]);
    expect(new Set(played.map(({ operation }) => operation)).size).toBeGreaterThan(20);

    const description = JSON.parse(renderOpenApi("https://api.example.com"));
    for (const { operation, fields: found } of evidenceOf(played, "probe", description))
      for (const { recorded, emulator: own } of differences(
        found,
        describedResponse(description, operation).fields,
      ))
        expect([operation, recorded, own]).toEqual([operation, "absent", own]);

    const { users, accessTokens, organizations, clusters, agents, pipelines } = emulator.organizationData;
    const text = readFileSync(join(folder, recordings[0]?.file ?? ""), "utf8");
    const names = [users, organizations, agents, pipelines].flatMap((all) =>
      all.list().map(({ name }) => name),
    );
    const ids = [users, accessTokens, organizations, clusters, agents].flatMap((all) =>
      all.list().map(({ id }) => id),
    );
    const secrets = accessTokens.list().map(({ token }) => token);
    for (const secret of [...names, ...ids, ...secrets, "acme", "buildpipeline-probe-", "bpct_"])
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test("fails before the first request if the folder can't be made", async () => {
    const surroundings = { cwd: scratch.directory, env: settingsOf(emulator) };
    const { code, stderr } = await buildpipeline(["probe", "--record", "/dev/null/x"], surroundings);
    expect([code, stderr]).toEqual([2, expect.stringContaining("/dev/null/x cannot be written")]);
    expect(emulator.requests).toEqual([]);
  });
});
