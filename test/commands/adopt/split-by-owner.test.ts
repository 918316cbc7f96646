import { readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../support/cases.js";
import { client, emulator, restart, scratch, serviceForEach } from "../../support/command-service.js";
import { createCluster, createTeam } from "../organization.js";
import { adopt, adoptFrom, namesIn, problems, read, refusal } from "./adopting.js";

serviceForEach();

interface Described {
  readonly name: string;
  readonly repository?: string;
  readonly tags?: readonly string[];
  /** What each team may do. */
  readonly access?: Readonly<Record<string, (typeof LEVELS)[number]>>;
  readonly clusterId?: string;
}

const LEVELS = ["read_only", "build_and_read", "manage_build_and_read"] as const;

/** Creates pipelines with a schedule each, and the teams that may use them. */
async function organization(pipelines: readonly Described[], teamNames: readonly string[]) {
  const teams = new Map<string, string>();
  for (const name of teamNames) teams.set(name, (await createTeam(name)).id);
  for (const {
    name,
    repository = "git@example.com:none/none.git",
    tags = [],
    access = {},
    ...rest
  } of pipelines) {
    const pipeline = await client.pipelines.create({
      name,
      repository,
      tags: [...tags],
      configuration: "steps: []",
      cluster_id: rest.clusterId ?? null,
    });
    await client.pipelineSchedules.create(pipeline.slug, { label: "Nightly", cronline: "@daily" });
    for (const [team, access_level] of Object.entries(access))
      await client.teamPipelines.create(teams.get(team) ?? "", { pipeline_id: pipeline.id, access_level });
  }
  return teams;
}

/** Names of the resources that wait to be imported, by project. */
function imports(): Record<string, string[]> {
  const folders = readdirSync(scratch.path("ci"), { withFileTypes: true }).filter((one) => one.isDirectory());
  return Object.fromEntries(
    folders.map(({ name }) => {
      const { resources } = JSON.parse(read(`${name}/import.json`));
      return [name, resources.map((resource: { name: string }) => resource.name).sort()];
    }),
  );
}

/** A pipeline, its schedule, and its accesses. */
const whole = (name: string, ...teams: readonly string[]) =>
  [name, `${name}-nightly`, ...teams.map((team) => `${team}-${name}`)].sort();

/** Teams, each with the member that its creation gives it. */
const team = (...names: readonly string[]) => names.flatMap((name) => [name, `${name}-ada-archer`]);

const SHOP: readonly Described[] = [
  {
    name: "Checkout",
    repository: "git@github.com:acme/shop.git",
    tags: ["tier:1"],
    access: { Everyone: "build_and_read", Payments: "manage_build_and_read" },
  },
  {
    name: "Ledger",
    repository: "https://someone:hunter2@github.com/acme/ledger.git",
    access: { Payments: "read_only", Books: "read_only", Everyone: "read_only" },
  },
  { name: "Site", repository: "ssh://git@git.example.com:2222/web/public/site", tags: ["web", "tier:2"] },
];
const TEAMS = ["Books", "Everyone", "Payments"];
const OTHERS = ["books", "everyone", "payments"];

describe("buildpipeline adopt --split", () => {
  test.each([
    {
      rules: ["money=team:payments", "rest=team:*"],
      projects: {
        money: [
          ...team("payments"),
          ...whole("checkout", "everyone", "payments"),
          ...whole("ledger", ...OTHERS),
        ],
        rest: team("books", "everyone"),
        organization: whole("site"),
      },
    },
    {
      // The first rule that matches applies, whatever a team may do.
      rules: ["all=team:everyone", "money=team:Pay*"],
      projects: {
        all: [
          ...team("everyone"),
          ...whole("checkout", "everyone", "payments"),
          ...whole("ledger", ...OTHERS),
        ],
        money: team("payments"),
        organization: [...team("books"), ...whole("site")],
      },
    },
    {
      rules: ["first=tag:tier:1", "other=tag:tier:*", "kind"],
      projects: {
        first: whole("checkout", "everyone", "payments"),
        other: whole("site"),
        pipelines: ["ledger"],
        "pipeline-schedules": ["ledger-nightly"],
        "team-pipelines": ["books-ledger", "everyone-ledger", "payments-ledger"],
        teams: OTHERS,
        "team-members": OTHERS.map((name) => `${name}-ada-archer`),
      },
    },
    {
      rules: ["shop=repository:acme/shop", "acme=repository:GitHub.com/acme/*", "web=repository:ssh://git@*"],
      projects: {
        shop: whole("checkout", "everyone", "payments"),
        acme: whole("ledger", ...OTHERS),
        web: whole("site"),
        organization: team(...OTHERS),
      },
    },
    {
      // A pipeline goes to the team that may do most; of equals, to the one with fewer pipelines.
      rules: ["team"],
      projects: {
        payments: [...team("payments"), ...whole("checkout", "everyone", "payments")],
        books: [...team("books"), ...whole("ledger", ...OTHERS)],
        everyone: team("everyone"),
        organization: whole("site"),
      },
    },
    {
      // What another rule takes from a pipeline doesn't go with it, and what an owner has follows the pipeline.
      rules: ["cron=PipelineSchedule", "mine=Pipeline:checkout", "money=team:payments"],
      projects: {
        cron: ["checkout-nightly", "ledger-nightly", "site-nightly"],
        mine: ["checkout", "everyone-checkout", "payments-checkout"],
        money: ["ledger", ...team("payments"), ...OTHERS.map((team) => `${team}-ledger`)],
        organization: [...team("books", "everyone"), "site"],
      },
    },
  ])("$rules", async ({ rules, projects }) => {
    await organization(SHOP, TEAMS);
    const { code, stderr } = await adopt("--split", ...rules);
    expect(code, stderr).toBe(0);
    const sorted = Object.entries(projects).map(([name, resources]) => [name, [...resources].sort()]);
    expect(imports()).toEqual(Object.fromEntries(sorted));
    expect(problems()).toEqual([]);
  });

  test("team: a suite goes with its team, a pipeline reads its cluster from another project, members stay", async () => {
    await restart({ seed: true });
    const { cluster } = await createCluster("Linux");
    const teams = await organization([{ ...SHOP[0], name: "Checkout", clusterId: cluster.id }], TEAMS);
    const { id } = await client.suites.create({ name: "Unit", default_branch: "main" });
    await client.teamSuites.create(teams.get("Books") ?? "", {
      suite_id: id,
      access_level: ["read", "edit"],
    });
    const { code, stderr } = await adopt("--split", "team", "cluster");
    expect(code, stderr).toBe(0);
    const found = imports();
    expect(found.books).toEqual(expect.arrayContaining(["books", "books-unit", "unit"]));
    expect(found.linux).toContain("linux-small");
    expect(read("payments/pipelines.ts")).toContain('clusterIn("ci-linux", "linux")');
    expect(read("payments/index.ts")).toContain("./teams");
    expect(Object.keys(found)).toEqual(expect.arrayContaining(OTHERS));
    expect(problems()).toEqual([]);
  });

  test("run again, what is new goes to the project of its pipeline and of its team", async () => {
    const teams = await organization(SHOP, TEAMS);
    await adopt("--split", "team");
    await client.pipelineSchedules.create("site", { label: "Weekly", cronline: "@weekly" });
    await client.pipelineSchedules.create("ledger", { label: "Weekly", cronline: "@weekly" });
    const { id } = await client.pipelines.create({
      name: "Invoices",
      repository: "git@github.com:acme/invoices.git",
      configuration: "steps: []",
      cluster_id: null,
    });
    await client.teamPipelines.create(teams.get("Payments") ?? "", {
      pipeline_id: id,
      access_level: "manage_build_and_read",
    });
    expect((await adopt("--split", "team")).code).toBe(0);
    const { payments, books, organization: rest } = imports();
    expect(payments).toEqual(expect.arrayContaining(["invoices", "payments-invoices"]));
    expect(books).toContain("ledger-weekly");
    expect(rest).toContain("site-weekly");
  });

  test("the same selectors restrict --only and --except", async () => {
    await organization(SHOP, TEAMS);
    const only = await adopt("--only", "team:books", "--dry-run", "--json");
    expect(namesIn(only).sort()).toEqual([...team("books"), ...whole("ledger", ...OTHERS)].sort());
    const except = await adopt("--except", "repository:*acme/*", "Team", "--dry-run", "--json");
    expect(namesIn(except).sort()).toEqual(whole("site"));
    const both = await adopt("--only", "Pipeline", "--except", "team:payments", "--dry-run", "--json");
    expect(namesIn(both)).toEqual(["site"]);
  });

  test("teams that the program leaves out decide all the same", async () => {
    await organization(SHOP, TEAMS);
    const { code, stderr } = await adopt("--split", "money=team:payments", "--except", "Team");
    expect(code, stderr).toBe(0);
    expect(imports()).toEqual({
      money: ["checkout", "checkout-nightly", "ledger", "ledger-nightly"],
      organization: whole("site"),
    });
  });

  test.each([
    [
      ["money=team:paymants"],
      'team:paymants matches none of the teams, which are "Payments", "Books", "Everyone".',
    ],
    [["one=tag:tier"], 'tag:tier matches none of the tags, which are "tier:1", "tier:2", "web".'],
    [["shop=repository:acme/shp"], 'none of the repositories, which are "acme/shop", "acme/ledger"'],
    [["shop=tag:"], "A pattern of owners has team: or tag: or repository: before it."],
    [["tag"], "Expected cluster, team, kind or <project>=<selector>"],
  ])("%j is refused", async (rules, message) => {
    await organization(SHOP, TEAMS);
    const said = await refusal("--split", ...rules);
    expect(said).toContain(message);
    expect(said).not.toContain("hunter2");
    expect(readdirSync(scratch.directory)).toEqual([]);
  });

  test("a token that can't read who may use a pipeline is refused, by the name of its scope", async () => {
    await organization(SHOP, TEAMS);
    const scopes = ["read_clusters", "read_pipelines", "read_suites", "read_pipeline_templates"];
    const accessToken = emulator.createAccessToken({ scopes });
    const { code, stderr } = await adoptFrom({ ...emulator, accessToken }, "--split", "money=team:payments");
    expect([code, stderr]).toEqual([2, expect.stringContaining("read_teams")]);
  });

  test("every pipeline goes with all that belongs to it to the project of the first rule, whatever the rules are", async () => {
    const subset = <Value>(...values: readonly Value[]) => fc.subarray([...values]);
    const pipeline = fc.record({
      repository: fc.constantFrom("git@git.example.com:acme/shop.git", "https://git.example.com/web/site"),
      tags: subset("red", "blue"),
      access: fc.dictionary(fc.constantFrom(...TEAMS), fc.constantFrom(...LEVELS), { maxKeys: 3 }),
    });
    const matches = {
      "team:books": ({ access }: Described) => access?.Books !== undefined,
      "team:*s": ({ access }: Described) => access?.Books !== undefined || access?.Payments !== undefined,
      "tag:red": ({ tags }: Described) => tags?.includes("red"),
      "repository:acme/*": ({ repository }: Described) => repository?.includes("acme"),
    };
    const selector = fc.constantFrom(...(Object.keys(matches) as (keyof typeof matches)[]));
    const seen = [{ name: "Last", tags: ["red"], repository: "git@git.example.com:acme/last.git" }];
    await fc.assert(
      fc.asyncProperty(
        fc.array(pipeline, { maxLength: 5 }),
        fc.uniqueArray(selector, { minLength: 1 }),
        async (some, selectors) => {
          await restart({});
          const pipelines: Described[] = [
            ...seen,
            ...some.map((one, index) => ({ ...one, name: `P${index}` })),
          ];
          await organization(pipelines, TEAMS);
          const rules = selectors.map((one, index) => `project-${index}=${one}`);
          const { stdout } = await adopt("--split", ...rules, "--dry-run", "--json");
          const adopted: { name: string; type: string; file: string }[] = JSON.parse(stdout).adopted;
          const projects = new Map(
            adopted.map(({ type, name, file }) => [`${type.split(":").at(-1)} ${name}`, file.split("/")[0]]),
          );
          expect(projects.size).toBe(adopted.length);
          for (const one of pipelines) {
            const index = selectors.findIndex((selected) => matches[selected](one));
            const project = index === -1 ? "organization" : `project-${index}`;
            const name = one.name.toLowerCase();
            const pairs = Object.keys(one.access ?? {});
            for (const key of [
              `Pipeline ${name}`,
              `PipelineSchedule ${name}-nightly`,
              ...pairs.map((other) => `TeamPipeline ${other.toLowerCase()}-${name}`),
            ])
              expect([key, projects.get(key)]).toEqual([key, project]);
          }
        },
      ),
      { numRuns: cases(22) },
    );
  }, 120_000);
});
