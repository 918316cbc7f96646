import { describe, expect, test } from "vitest";
import * as programSide from "../../src/index.js";
import { editor } from "./editor.js";

const { hover, completions } = editor();

test("The client's results and bodies show the type and the documentation of their fields", () => {
  const shown = hover(`
    import type {
      Build, ClusterUpdate, CreatedAgentToken, PipelineTemplateUpdate, Queue, SuiteUpdate, TeamWriteResult,
    } from "./dist/client/index.js";
    declare const queue: /*?*/Queue, token: CreatedAgentToken, team: TeamWriteResult, build: Build;
    queue./*?*/key; queue./*?*/created_by; queue./*?*/dispatch_paused_note;
    token./*?*/token; token./*?*/cluster_url;
    team./*?*/id; team./*?*/default;
    build./*?*/jobs; build.jobs?.[0]?./*?*/runnable_at; build.pipeline?.provider?./*?*/webhook_url;
    declare const cluster: ClusterUpdate, template: PipelineTemplateUpdate, suite: SuiteUpdate;
    cluster./*?*/color; cluster./*?*/default_queue_id; template./*?*/available; suite./*?*/emoji;
  `);

  expect(shown.map(({ type }) => type)).toEqual([
    "(alias) interface Queue\nimport Queue",
    "(property) key: string",
    "(property) created_by?: User | null | undefined",
    "(property) dispatch_paused_note?: string | null | undefined",
    "(property) token: string",
    "(property) cluster_url?: string | null | undefined",
    "(property) id?: string | undefined",
    "(property) default?: boolean | null | undefined",
    "(property) jobs?: Job[] | null | undefined",
    "(property) runnable_at?: string | null | undefined",
    "(property) webhook_url?: string | null | undefined",
    "(property) color?: string | null | undefined",
    "(property) ClusterUpdate.default_queue_id?: string | null | undefined",
    "(property) available?: boolean | undefined",
    "(property) emoji?: string | null | undefined",
  ]);
  expect(shown.filter(({ documentation }) => documentation === "")).toEqual([]);
  expect(shown[4]?.documentation).toContain("so store it immediately");
});

const IMPORT = 'import type * as lookups from "./dist/index.js";\n';

/** The results of lookups, their parts, and the arguments. */
const types = (completions(`${IMPORT}declare const x: lookups./*?*/;`)[0] ?? []).filter((name) =>
  /^Get[A-Z]/.test(name),
);
const members = completions(
  IMPORT + types.map((type, at) => `declare const x${at}: lookups.${type}; x${at}./*?*/;\n`).join(""),
);
const fields = types.flatMap((type, at) => (members[at] ?? []).map((field) => ({ type, field })));

test("the types of every lookup are looked at", () => {
  for (const name of Object.keys(programSide).filter((each) => /^get[A-Z]/.test(each))) {
    const type = `G${name.slice(1)}`;
    expect(types).toContain(`${type}Args`);
    if (!name.endsWith("Output")) expect(types).toContain(`${type}Result`);
  }
  for (const [at, type] of types.entries()) {
    if (type.endsWith("Result")) expect(members[at], type).not.toEqual([]);
  }
});

test("the plugin's entry has the same types, and its classes the same outputs", () => {
  const native = `${IMPORT}import type * as native from "./dist/provider/native/index.js";\n`;
  const [main, plugin] = completions(
    `${native}declare const x: lookups./*?*/; declare const y: native./*?*/;`,
  );
  expect(plugin).toEqual(main?.filter((name) => name !== "LookupError"));

  const shown = hover(
    `${native}declare const x: native.Cluster, y: lookups.Cluster; x./*?*/color; y./*?*/color;`,
  );
  expect(shown[0]?.documentation).toBe("Hex color code.");
  expect(shown[0]?.type.replace("native.", "")).toBe(shown[1]?.type);
});

test("every field of every result, and every argument, shows its documentation", () => {
  const program = fields.map(({ type, field }) => `({} as lookups.${type})./*?*/${field};\n`).join("");

  const shown = hover(IMPORT + program).map(({ type, documentation }, at) => ({
    field: `${fields[at]?.type}.${fields[at]?.field}`,
    isProperty: type.startsWith("(property)"),
    documented: documentation !== "",
  }));

  expect(shown.length).toBeGreaterThan(200);
  expect(shown.filter(({ isProperty, documented }) => !isProperty || !documented)).toEqual([]);
});

test("every lookup shows its documentation", () => {
  const names = Object.keys(programSide).filter((name) => /^get[A-Z]/.test(name));
  const program = names.map((name) => `lookups./*?*/${name};\n`).join("");

  const shown = hover(`import * as lookups from "./dist/index.js";\n${program}`);

  expect(names.filter((_, at) => shown[at]?.documentation === "")).toEqual([]);
});

describe("the results of the kinds", () => {
  test("have the types of the outputs of the resources, and leave open what the service may leave unset", () => {
    const shown = hover(`${IMPORT}
      declare const cluster: lookups.GetClusterResult, queue: lookups.GetQueueResult, team: lookups.GetTeamResult;
      cluster./*?*/name; cluster./*?*/color; cluster./*?*/createdBy; queue./*?*/clusterId;
      queue./*?*/dispatchPaused; team./*?*/privacy; team./*?*/defaultMemberRole; team./*?*/id;
    `);

    expect(shown.map(({ type }) => type)).toEqual([
      "(property) name: string",
      "(property) color?: string | undefined",
      "(property) createdBy?: lookups.EmbeddedUser | undefined",
      "(property) clusterId: string",
      "(property) dispatchPaused: boolean",
      '(property) privacy?: "visible" | "secret" | undefined',
      '(property) defaultMemberRole?: "member" | "maintainer" | undefined',
      "(property) id: string",
    ]);
    expect(shown[1]?.documentation).toBe("Hex color code.");
  });

  test("have no secrets, and no arguments that the service never returns", () => {
    const left = ["GetAgentTokenResult.token", "GetAgentTokenResult.triggers", "GetSuiteResult.apiToken"];
    const names = fields.map(({ type, field }) => `${type}.${field}`);

    expect(names.filter((name) => [...left, "GetSuiteResult.teamIds"].includes(name))).toEqual([]);
    expect(names).toContain("GetAgentTokenResult.allowedIpAddresses");
  });
});
