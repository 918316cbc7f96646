import { describe, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { kinds } from "../../src/provider/values/kinds.js";
import { Driver, failure, serviceForEach } from "./driver.js";

type Properties = Record<string, unknown>;

interface Resource {
  readonly kind: string;
  readonly id: string;
  readonly outs: Properties;
}

const service = serviceForEach();

const ARGUMENTS: Readonly<Record<string, (name: string) => Properties>> = {
  Team: (name) => ({ name, privacy: "secret" }),
  PipelineTemplate: (name) => ({ name, configuration: "steps: []" }),
};

const PATHS: Readonly<Record<string, string>> = { Team: "/teams", PipelineTemplate: "/pipeline-templates" };

const SCOPES = ["read_pipeline_templates", "write_pipeline_templates", "read_teams", "write_teams"];

/** Kinds with objects that an API access token may be unable to read. */
const hiding = Object.keys(ARGUMENTS);

/** Creates a secret team or a template that is not available. */
async function makeHidden(kind: string, name = "hidden"): Promise<Resource> {
  const { id, outs } = await service.driver.create(kind, ARGUMENTS[kind]?.(name) ?? {});
  return { kind, id, outs };
}

function deleteOutOfBand({ kind, id }: Resource) {
  return service.colleague.sends("DELETE", `${PATHS[kind]}/${id}`);
}

async function read(driver: Driver, { kind, id, outs }: Resource) {
  return (await driver.kind(kind)).read(id, outs);
}

async function remove(driver: Driver, { kind, id, outs }: Resource) {
  return (await driver.kind(kind)).delete(id, outs);
}

const marksIn = (outs: Properties) =>
  Object.fromEntries(Object.entries(outs).filter(([name]) => name.startsWith("__")));

const argumentsIn = (kind: string, outs: Properties) =>
  Object.fromEntries(Object.keys(kinds.get(kind)?.arguments ?? {}).map((name) => [name, outs[name]]));

/** Another API access token, of a user who administers the organization. */
const asAnotherAdmin = () =>
  service.newRun({ "buildpipeline:accessToken": service.emulator.createAccessToken({ scopes: SCOPES }) });

/** The user of the API access token loses the role that lets it read secret teams and unavailable templates. */
function loseRole(): void {
  const { accessTokens, teams } = service.emulator.organizationData;
  for (const { id } of accessTokens.list()) {
    accessTokens.update(id, { admin: false, sees_secret_teams: false });
  }
  for (const { id } of teams.list()) teams.update(id, { member_ids: [] });
}

describe.each(hiding)("a hidden %s that was deleted out of band", (kind) => {
  test("is removed from state by a refresh with the token that last returned it, with a warning", async () => {
    const gone = await makeHidden(kind);
    await deleteOutOfBand(gone);
    const run = service.newRun();
    expect((await read(run, gone)).id).toBe("");
    expect(run.warnings).toEqual([expect.stringMatching(`${gone.id}.*deleted.*hidden`)]);
  });

  test("is deleted with any token, with a warning", async () => {
    const gone = await makeHidden(kind);
    await deleteOutOfBand(gone);
    const run = asAnotherAdmin();
    await remove(run, gone);
    expect(run.warnings).toEqual([expect.stringContaining(gone.id)]);
  });

  test("stays in state in a refresh with another token, and the message says how to go on", async () => {
    const gone = await makeHidden(kind);
    await deleteOutOfBand(gone);
    const run = asAnotherAdmin();
    expect(await read(run, gone)).toMatchObject({ id: gone.id, props: gone.outs });
    expect(run.warnings).toEqual([expect.stringMatching(`${gone.id}.*pulumi state delete`)]);
  });

  test("stays in state where the token can't be identified, as with another token", async () => {
    const gone = await makeHidden(kind);
    await deleteOutOfBand(gone);
    service.emulator.fault({ path: /access-token$/, times: 10, action: { status: 403 } });
    expect((await read(service.newRun(), gone)).id).toBe(gone.id);
  });

  test("is confirmed by the token of the latest refresh", async () => {
    const made = await makeHidden(kind);
    const config = {
      "buildpipeline:accessToken": service.emulator.createAccessToken({ scopes: SCOPES }),
    };
    const { props = {} } = await read(service.newRun(config), made);
    const refreshed = { ...made, outs: props };
    await deleteOutOfBand(made);
    expect((await read(service.newRun(), refreshed)).id).toBe(made.id);
    expect((await read(service.newRun(config), refreshed)).id).toBe("");
  });

  test("is confirmed while another one stays visible, and that one stays", async () => {
    const [gone, also, stays] = [
      await makeHidden(kind, "gone"),
      await makeHidden(kind, "also"),
      await makeHidden(kind, "stays"),
    ];
    await deleteOutOfBand(gone);
    await deleteOutOfBand(also);
    const run = service.newRun();
    const found = await Promise.all([gone, also, stays].map((each) => read(run, each)));
    expect(found.map(({ id }) => id)).toEqual(["", "", stays.id]);
  });

  test("stays in state where the state has no marks, as before they existed", async () => {
    const { outs, ...gone } = await makeHidden(kind);
    const unmarked = Object.fromEntries(
      Object.entries(outs).filter(([name]) => !name.startsWith("__") || name === "__provider"),
    );
    await deleteOutOfBand({ ...gone, outs });
    expect((await read(service.newRun(), { ...gone, outs: unmarked })).id).toBe(gone.id);
  });
});

describe.each(hiding)("where the user of the token lost a role, every %s stays in state", (kind) => {
  test.each([
    ["read at once", (run: Driver, all: Resource[]) => Promise.all(all.map((each) => read(run, each)))],
    [
      "read a moment apart",
      (run: Driver, all: Resource[]) =>
        Promise.all(
          all.map(async (each, index) => {
            for (let turn = 0; turn < index * 5; turn++) await new Promise(setImmediate);
            return read(run, each);
          }),
        ),
    ],
  ])("%s", async (_, reading) => {
    const all = [];
    for (const name of ["a", "b", "c"]) all.push(await makeHidden(kind, name));
    loseRole();
    const run = service.newRun();
    const found = await reading(run, all);
    expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(run.warnings.join("\n")).toMatch(/lost a role/);
    for (const { id } of all) expect(run.warnings.join("\n")).toContain(id);
  });
});

test("an unavailable template is gone for any administrator's token that lists another one", async () => {
  const gone = await makeHidden("PipelineTemplate", "gone");
  await makeHidden("PipelineTemplate", "stays");
  await deleteOutOfBand(gone);
  const run = asAnotherAdmin();
  expect((await read(run, gone)).id).toBe("");
  expect(run.warnings).toEqual([]);
});

describe("another endpoint confirms no deletion", () => {
  async function everyKindWithoutAddress(): Promise<Resource[]> {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "q" });
    return [
      { kind: "Team", ...(await service.driver.create("Team", { name: "visible" })) },
      await makeHidden("Team"),
      await makeHidden("PipelineTemplate"),
      {
        kind: "ClusterDefaultQueue",
        ...(await service.driver.create("ClusterDefaultQueue", { clusterId: cluster.id, queueId: queue.id })),
      },
    ];
  }

  test("of teams, templates and default queues: a refresh and a deletion fail and name both", async () => {
    const other = await startEmulator({ seed: false });
    try {
      for (const resource of await everyKindWithoutAddress()) {
        const run = Driver.for(other);
        for (const attempt of [read, remove]) {
          const message = await failure(attempt(run, resource));
          expect(message, resource.kind).toContain(new URL(other.url).origin);
          expect(message, resource.kind).toContain(new URL(service.emulator.url).origin);
        }
      }
    } finally {
      await other.close();
    }
  });
});

describe("marks", () => {
  test("are outputs only, and an unchanged program has no difference", async () => {
    for (const kind of hiding) {
      const { id, outs } = await makeHidden(kind);
      const { inputs = {}, props = {} } = await read(service.newRun(), { kind, id, outs });
      expect(props).toEqual(outs);
      expect(Object.keys(inputs).filter((name) => name.startsWith("__"))).toEqual([]);
      const provider = await service.newRun().kind(kind);
      expect(await provider.diff(id, props, inputs)).toMatchObject({ changes: false });
    }
  });

  test("cost a refresh one request, however many objects need them, and none where no object does", async () => {
    const visible = await service.driver.create("Team", { name: "visible" });
    const all = [];
    for (const name of ["a", "b", "c"]) all.push(await makeHidden("Team", name));
    const asked = () => service.emulator.requests.filter(({ path }) => path.endsWith("/access-token")).length;
    service.emulator.clearRequests();
    await read(service.newRun(), { kind: "Team", ...visible });
    expect(asked()).toBe(0);
    const run = service.newRun();
    await Promise.all(all.map((each) => read(run, each)));
    expect(asked()).toBe(1);
  });

  test("stay out of what a program only reads, because the engine shows each change of it", async () => {
    for (const kind of hiding) {
      const { id, outs } = await makeHidden(kind);
      const { props = {} } = await (await service.newRun().kind(kind)).read(id, {});
      const external = { kind, id, outs: props };
      expect((await read(asAnotherAdmin(), external)).props).toEqual(props);
      // An update means that it is managed by now.
      const provider = await service.newRun().kind(kind);
      const managed = await provider.update(id, props, {
        ...argumentsIn(kind, outs),
        description: "managed",
      });
      expect(managed.outs).toEqual({ ...managed.outs, ...marksIn(outs) });
      expect(managed.outs).not.toHaveProperty("__external");
    }
  });

  test("are added by the first refresh of a state without them", async () => {
    for (const kind of hiding) {
      const { id, outs } = await makeHidden(kind);
      const unmarked = Object.fromEntries(Object.entries(outs).filter(([name]) => !name.startsWith("__")));
      expect((await read(service.newRun(), { kind, id, outs: unmarked })).props).toEqual(outs);
    }
  });

  test("are written by an update, with the token that it was sent with", async () => {
    const made = await service.driver.create("Team", { name: "t" });
    const run = asAnotherAdmin();
    const provider = await run.kind("Team");
    const { outs = {} } = await provider.update(made.id, made.outs, { ...made.inputs, privacy: "secret" });
    await service.colleague.sends("DELETE", `/teams/${made.id}`);
    const gone = { kind: "Team", id: made.id, outs };
    expect((await read(service.newRun(), gone)).id).toBe(made.id);
  });
});

describe("an endpoint with another name than the one in state", () => {
  /** Two objects in state, the first of which exists; settings with another name of the same machine. */
  async function renamed() {
    const there = await service.driver.create("Cluster", { name: "there" });
    const gone = await service.driver.create("Cluster", { name: "gone" });
    await service.colleague.sends("DELETE", `/clusters/${gone.id}`);
    const baseUrl = service.emulator.url.replace("127.0.0.1", "localhost");
    const run = service.newRun({ "buildpipeline:baseUrl": baseUrl });
    return { there: { kind: "Cluster", ...there }, gone: { kind: "Cluster", ...gone }, run };
  }

  test("confirms no deletion while none of the objects of the old one was found there", async () => {
    const { gone, run } = await renamed();
    expect(await failure(read(run, gone))).toContain("Another endpoint can't confirm the deletion");
  });

  test("is the same service once an object of the old one was found there", async () => {
    const { there, gone, run } = await renamed();
    expect((await read(run, there)).id).toBe(there.id);
    expect((await read(run, gone)).id).toBe("");
  });
});

describe("a list of several pages", () => {
  const ROWS = 130;

  /** Suites on two pages, of which the last one was renamed. */
  async function renamedSuite() {
    const { id, outs } = await service.driver.create("Suite", { name: "Ours", defaultBranch: "main" });
    const { suites } = service.emulator.organizationData;
    const ours = suites.get(id);
    if (ours === undefined) throw new Error("The suite was not created.");
    suites.delete(id);
    for (let index = 0; index < ROWS; index++) {
      suites.insert({ ...ours, id: crypto.randomUUID(), name: `Other ${index}`, slug: `other-${index}` });
    }
    const records = suites.list();
    // The first one of the second page.
    const at = records[100];
    if (at === undefined) throw new Error("There is one page only.");
    suites.delete(at.id);
    for (const record of records.slice(101)) suites.delete(record.id);
    suites.insert({ ...ours, slug: "renamed" });
    for (const record of records.slice(101)) suites.insert(record);
    return { kind: "Suite", id, outs };
  }

  /** So often, an object of the first page is deleted before the second page is read. */
  function shiftPages(times: number) {
    const { suites } = service.emulator.organizationData;
    let left = times;
    service.emulator.fault({
      operation: "suites.list",
      times: Number.POSITIVE_INFINITY,
      action: {
        change: (page) => {
          const [first] = suites.list();
          if (Array.isArray(page) && page.length === 100 && first !== undefined && left-- > 0) {
            suites.delete(first.id);
          }
          return page;
        },
      },
    });
  }

  test("that shifted while it was read removes no suite from state, and a renamed one is refreshed", async () => {
    const suite = await renamedSuite();
    shiftPages(1);
    expect(await read(service.newRun(), suite)).toMatchObject({ id: suite.id, props: { slug: "renamed" } });
  });

  test("confirms a deletion when two reads agree", async () => {
    const suite = await renamedSuite();
    service.emulator.organizationData.suites.delete(suite.id);
    service.emulator.clearRequests();
    expect((await read(service.newRun(), suite)).id).toBe("");
    expect(service.emulator.requests.filter(({ path }) => path.endsWith("/suites"))).toHaveLength(4);
  });

  test("that shifts all the time confirms nothing", async () => {
    const suite = await renamedSuite();
    shiftPages(50);
    const provider = await service.newRun().kind("Suite");
    const outcome = await provider.read(suite.id, suite.outs).then(({ id }) => id, String);
    expect(outcome).toMatch(suite.id);
  });
});
