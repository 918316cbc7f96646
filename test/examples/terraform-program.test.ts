import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { terraformImports } from "../../examples/from-terraform/terraform.js";
import { startProvider } from "../stories/histories/engine/start-provider.js";
import { ModelEngine } from "../stories/histories/model-engine.js";
import type { Declared } from "../stories/histories/program.js";
import { CHECKOUT, testFolder } from "../support/checkout.js";
import { serviceForEach } from "../support/driver.js";
import { documentAt, type Row, tableOf } from "./documents.js";

const guide = documentAt("docs/guides/from-terraform.md").text;

interface Block {
  readonly type: string;
  readonly address: string;
  /** A text `${…}` refers to an attribute of another resource. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Reads the resources of a Terraform program, as far as the one here uses its language. */
function blocksOf(program: string): Block[] {
  return [...program.matchAll(/^resource "(\w+)" "(\w+)" \{\n(.*?)^\}$/gms)].map(
    ([, type = "", name = "", body = ""]) => ({ type, address: `${type}.${name}`, values: valuesOf(body) }),
  );
}

function valuesOf(body: string): Record<string, unknown> {
  const argument = /^ +(\w+) += (?:<<-YAML\n(.*?)^ +YAML$|(\{\n.*?^ +\})$|([^\n]+)$)/gms;
  return Object.fromEntries(
    [...body.matchAll(argument)].map(([, name = "", text, map, plain = ""]) => {
      if (text !== undefined) return [name, text.replaceAll(/^ {4}/gm, "")];
      if (map !== undefined) return [name, valuesOf(map)];
      return [name, /^\w+\.\w+\.id$/.test(plain) ? { refersTo: plain.slice(0, -3) } : JSON.parse(plain)];
    }),
  );
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const names = (row: Row, column: string) =>
  [...(row[column] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

/** The names here of types, and of arguments by `<type>.<argument>`, as the guide's tables pair them. */
function namesHere(): Map<string, string> {
  const found = new Map<string, string>();
  let type = "";
  for (const row of tableOf(guide, "## Arguments")) {
    const here = names(row, "here");
    const isHeading = row.here?.startsWith("**");
    if (isHeading) type = names(row, "Terraform")[0] ?? "";
    const there = row.Terraform === "=" ? here.map(snakeCase) : names(row, "Terraform");
    for (const [index, name] of there.entries())
      found.set(isHeading ? name : `${type}.${name}`, here[index] ?? "");
  }
  return found;
}

const CAPITALS = new Set(["privacy", "default_member_role", "access_level", "visibility"]);

/** Translates a resource as the guide says. */
function declared({ type, address, values }: Block, importName: string | undefined): Declared {
  const here = namesHere();
  const args = Object.entries(values).map(([name, value]) => {
    const { refersTo } = Object(value);
    const translated = () => {
      if (typeof value === "string" && CAPITALS.has(name)) return value.toLowerCase();
      if (name === "provider_settings")
        return Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [camelCase(key), one]));
      return refersTo === undefined ? value : { idOf: refersTo };
    };
    return [here.get(`${type}.${name}`) ?? `no row for ${type}.${name}`, translated()];
  });
  return {
    name: address,
    kind: here.get(type) ?? "",
    args: Object.fromEntries(args),
    ...(importName !== undefined && { import: importName }),
  };
}

const PATHS: Readonly<Record<string, (values: Readonly<Record<string, unknown>>) => string>> = {
  buildkite_team: () => "/teams",
  buildkite_cluster: () => "/clusters",
  buildkite_cluster_queue: ({ cluster_id }) => `/clusters/${cluster_id}/queues`,
  buildkite_pipeline: () => "/pipelines",
  buildkite_pipeline_schedule: ({ pipeline_slug }) => `/pipelines/${pipeline_slug}/schedules`,
  buildkite_pipeline_team: ({ team_id }) => `/teams/${team_id}/pipelines`,
};

/** The names of the REST API, where Terraform has others. */
const PROPERTIES: Readonly<Record<string, string>> = {
  steps: "configuration",
  default_team: "is_default_team",
  default_timeout_in_minutes: "default_command_step_timeout",
  maximum_timeout_in_minutes: "maximum_command_step_timeout",
  skip_intermediate_builds: "skip_queued_branch_builds",
  skip_intermediate_builds_branch_filter: "skip_queued_branch_builds_filter",
  cancel_intermediate_builds: "cancel_running_branch_builds",
  cancel_intermediate_builds_branch_filter: "cancel_running_branch_builds_filter",
};

describe.each(["dynamic", "plugin"] as const)("A Terraform program, by the %s backend,", (backend) => {
  const service = serviceForEach();

  /** Makes what Terraform has made. @returns the file that `terraform show -json` prints */
  async function applied(blocks: readonly Block[]): Promise<string> {
    const made = new Map<string, Record<string, unknown>>();
    const resources: object[] = [];
    for (const { type, address, values } of blocks) {
      const of = (value: unknown) => made.get(String(Object(value).refersTo));
      const body: Record<string, unknown> = type === "buildkite_team" ? { description: "" } : {};
      for (const [name, value] of Object.entries(values))
        body[PROPERTIES[name] ?? name] =
          of(value)?.id ?? (typeof value === "string" && CAPITALS.has(name) ? value.toLowerCase() : value);
      const path = PATHS[type]?.({ ...body, pipeline_slug: of(values.pipeline_id)?.slug }) ?? "";
      const object = await service.colleague.sends("POST", path, body);
      made.set(address, object);
      const graphqlId = (value: unknown) => of(value)?.graphql_id;
      // States of version 0 have none.
      const isOld = resources.length % 2 === 1;
      const uuids = { uuid: isOld ? undefined : object.id, cluster_uuid: of(values.cluster_id)?.id };
      const ids = { team_id: graphqlId(values.team_id), pipeline_id: graphqlId(values.pipeline_id) };
      resources.push({ address, mode: "managed", type, values: { id: object.graphql_id, ...uuids, ...ids } });
    }
    const file = join(testFolder(), "terraform-state.json");
    writeFileSync(file, JSON.stringify({ values: { root_module: { resources } } }));
    return file;
  }

  test("is moved by the guide's tables: nothing is created, changed, replaced or deleted, and then nothing changes", async () => {
    const blocks = blocksOf(readFileSync(join(CHECKOUT, "test/examples/terraform/main.tf"), "utf8"));
    expect(blocks.length).toBeGreaterThan(14);
    const from = terraformImports(await applied(blocks));
    const engine = new ModelEngine(() =>
      startProvider({ backend, service: service.emulator, clock: service.clock }, {}),
    );
    const { organizationData: data } = service.emulator;
    const live = () =>
      [data.pipelines, data.pipelineSchedules, data.teamPipelines, data.teams].map((all) => all.list());
    const before = structuredClone(live());
    service.emulator.clearRequests();
    const importing = blocks.map((block) => declared(block, from(block.address)));
    expect(await engine.preview(importing)).toMatchObject({ errors: [] });
    const imported = await engine.up(importing);
    expect([imported.errors, Object.values(imported.steps)]).toEqual([
      [],
      expect.not.arrayContaining(["replace"]),
    ]);
    // Pulumi's own import doesn't know what the program manages, so the plugin sends the same values again.
    expect(
      service.writes.filter((operation) => backend === "dynamic" || !operation.endsWith(".update")),
    ).toEqual([]);
    service.emulator.clearRequests();
    const moved = blocks.map((block) => declared(block, undefined));
    expect(await engine.up(moved)).toMatchObject({ errors: [] });
    expect(await engine.refresh()).toMatchObject({ errors: [] });
    const { steps, errors } = await engine.preview(moved);
    expect([errors, new Set(Object.values(steps))]).toEqual([[], new Set(["same"])]);
    expect([service.writes, live()]).toEqual([[], before]);
  });
});
