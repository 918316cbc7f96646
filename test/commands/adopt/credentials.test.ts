import { readdirSync, rmSync, statSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../support/cases.js";
import { TEAM } from "../../support/colleague.js";
import { client, restart, scratch, serviceForEach } from "../../support/command-service.js";
import { problems, read, remarks } from "./adopting.js";

serviceForEach();

/** What lets somebody in, by its form alone: no name says so. */
const SECRET = "Zq7Vx2Lm9Kt4Rw8Yb3Nc6Pd1";
const FORMS = {
  "the password of an address": `https://ada:${SECRET}@host.example/x`,
  "the password of a database": `postgres://ada:${SECRET}@db.example/x`,
  "the user of an address": `https://${SECRET}@host.example/x`,
  "the query of an address": `https://host.example/x?a=1&token=${SECRET}`,
  "a token of GitHub": `ghp_${SECRET}`,
  "a token of GitLab": `glpat-${SECRET}`,
  "a token of Slack": `xoxb-${SECRET}`,
  "a token of Buildkite": `bkua_${SECRET}`,
  "an address of Slack": `https://hooks.slack.com/services/T1/B1/${SECRET}`,
  "a private key": `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`,
};
/** What looks alike and lets nobody in. */
const HARMLESS = [
  "https://host.example/x?page=2",
  "ssh://git@github.com/acme/shop.git",
  "git@github.com:acme/shop.git",
  "https://ada:$TOKEN@host.example/x",
  "https://host.example/x?token=$$TOKEN",
  "ghp_short",
];
/** Arguments with a free text. */
const PLACES = ["description", "configuration", "message", "env", "settings", "template", "team"];

async function makeObjects(textAt: (place: string) => string): Promise<void> {
  const text = textAt("configuration");
  await client.pipelines.create({
    name: "Shop",
    repository: "git@github.com:acme/shop.git",
    description: textAt("description"),
    configuration: `steps:\n  - command: ${JSON.stringify(`run ${text}`)}\n`,
  });
  const schedule = { label: "Night", cronline: "@daily", message: textAt("message") };
  await client.pipelineSchedules.create("shop", { ...schedule, env: { X: textAt("env"), Y: "plain" } });
  await client.notificationServices.create({
    provider: "webhook",
    scope: "all",
    description: "Dashboards",
    // An address has no blanks.
    settings: {
      url: `https://h.example/?u=${textAt("settings").replaceAll(/\s/g, "")}`,
      events: ["build.finished"],
    },
  });
  await client.pipelineTemplates.create({
    name: "Template",
    configuration: "steps: []\n",
    description: textAt("template"),
  });
  await client.teams.create({ ...TEAM, name: "Web", description: textAt("team") });
}

/** Returns all files of the program, without what imports it. */
function filesOf(): string {
  return readdirSync(scratch.path("ci"), { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(scratch.path(`ci/${file}`)).isFile())
    .map(read)
    .join("\n");
}

async function adopted(...flags: readonly string[]): Promise<string> {
  rmSync(scratch.path("ci"), { recursive: true, force: true });
  return remarks(...flags);
}

test("A credential is named, and left to the configuration, wherever it is and whatever its variable is called", async () => {
  const credential = fc.constantFrom(...Object.values(FORMS));
  const address = credential.filter((form) => !form.startsWith("-----"));
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        Object.fromEntries(
          PLACES.map((place) => [place, fc.option(place === "settings" ? address : credential)]),
        ),
      ),
      fc.constantFrom("typescript", "python", "go", "yaml"),
      async (found, language) => {
        await restart({});
        await makeObjects((place) => found[place] ?? "plain");
        const some = PLACES.filter((place) => found[place] != null);
        const shown = await adopted("--language", language);
        const remark = shown.split("\n").find((line) => line.includes("as plain text, which")) ?? "";
        expect(remark === "").toBe(some.length === 0);
        if (found.env != null) expect(remark).toContain("X in `env`");
        if (found.settings != null) expect(remark).toContain("url in `settings`");
        expect(shown).not.toContain(SECRET);

        const stderr = await adopted("--language", language, "--secrets-to-config");
        expect(filesOf() + stderr).not.toContain(SECRET);
        expect(stderr.match(/pulumi config set --secret/g) ?? []).toHaveLength(some.length);
        expect(problems()).toEqual([]);
      },
    ),
    {
      numRuns: cases(20),
      examples: [[Object.fromEntries(PLACES.map((place) => [place, FORMS["a token of GitHub"]])), "go"]],
    },
  );
});

test.each(HARMLESS)("What lets nobody in stays in the program: %s", async (text) => {
  await makeObjects(() => text);
  const stderr = await adopted("--secrets-to-config");
  expect(stderr).not.toContain("pulumi config set --secret");
});
