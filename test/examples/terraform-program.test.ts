import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { terraformImports } from "../../examples/from-terraform/terraform.js";
import { engineOf } from "../stories/histories/engine/start-provider.js";
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
  const argument = /^ +(\w+) += (?:<<-YAML\n(.*?)^ +YAML$|((?:jsonencode\()?\{\n.*?^ +\})\)?$|([^\n]+)$)/gms;
  return Object.fromEntries(
    [...body.matchAll(argument)].map(([, name = "", text, map, plain = ""]) => {
      if (text !== undefined) return [name, text.replaceAll(/^ {4}/gm, "")];
      if (map !== undefined) return [name, valuesOf(map)];
      return [name, plainValue(plain)];
    }),
  );
}

function plainValue(plain: string): unknown {
  const [, refersTo] = /^(\w+\.\w+)\.\w+$/.exec(plain) ?? [];
  return refersTo === undefined ? JSON.parse(plain) : { refersTo };
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
  const { value: document, ...rest } = values;
  const { source_pipeline, target_pipeline, conditions } = Object(document);
  const ofDocument = { source_pipeline_id: source_pipeline, target_pipeline_id: target_pipeline, conditions };
  const named = Object.entries(document === undefined ? rest : { type: rest.type, ...ofDocument });
  const args = named.flatMap(([name, value]) => {
    if (value === undefined) return [];
    const { refersTo } = Object(value);
    const translated = () => {
      if (typeof value === "string" && CAPITALS.has(name)) return value.toLowerCase();
      if (name === "provider_settings" || name === "webhook")
        return Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [camelCase(key), one]));
      return refersTo === undefined ? value : { idOf: refersTo };
    };
    const found = document === undefined ? here.get(`${type}.${name}`) : camelCase(name);
    return [[found ?? `no row for ${type}.${name}`, translated()] as const];
  });
  return {
    name: address,
    kind: here.get(type) ?? "",
    args: Object.fromEntries(args),
    ...(importName !== undefined && { import: importName }),
  };
}

/** Types that no resource here is imported for. */
const isImported = ({ type }: Block) =>
  tableOf(guide, "## Resources").some((row) => {
    const [, , attributes = ""] = Object.values(row);
    return names(row, "Terraform").includes(type) && !attributes.startsWith("none");
  });

const PATHS: Readonly<Record<string, (values: Readonly<Record<string, unknown>>) => string>> = {
  buildkite_team: () => "/teams",
  buildkite_cluster: () => "/clusters",
  buildkite_cluster_queue: ({ cluster_id }) => `/clusters/${cluster_id}/queues`,
  buildkite_pipeline: () => "/pipelines",
  buildkite_pipeline_schedule: ({ pipeline_slug }) => `/pipelines/${pipeline_slug}/schedules`,
  buildkite_pipeline_team: ({ team_id }) => `/teams/${team_id}/pipelines`,
  buildkite_pipeline_webhook: ({ pipeline_slug }) => `/pipelines/${pipeline_slug}/webhook`,
  buildkite_organization_rule: () => "/rules",
  buildkite_notification_service: () => "/services",
  buildkite_organization: () => "/api-settings",
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
  provider_type: "provider",
  webhook: "settings",
  allowed_api_ip_addresses: "allowed_ip_addresses",
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
      const sent = (name: string, value: unknown): unknown => {
        if (typeof value === "string" && CAPITALS.has(name)) return value.toLowerCase();
        if (name === "allowed_api_ip_addresses") return (value as string[]).join(" ");
        if (name !== "value") return of(value)?.id ?? value;
        return Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [key, sent(key, one)]));
      };
      // A new notification service is enabled.
      const stated = Object.entries(values).filter(
        ([name]) => name !== "enabled" || type !== "buildkite_notification_service",
      );
      for (const [name, value] of stated) body[PROPERTIES[name] ?? name] = sent(name, value);
      const path = PATHS[type]?.({ ...body, pipeline_slug: of(values.pipeline_id)?.slug }) ?? "";
      const object = await service.colleague.sends(path === "/api-settings" ? "PATCH" : "POST", path, body);
      made.set(address, object);
      const graphqlId = (value: unknown) => of(value)?.graphql_id;
      // States of version 0 have none.
      const isOld = resources.length % 2 === 1;
      const id = object.id ?? object.uuid;
      const uuids = { uuid: isOld ? undefined : id, cluster_uuid: of(values.cluster_id)?.id };
      const ids = { team_id: graphqlId(values.team_id), pipeline_id: graphqlId(values.pipeline_id) };
      resources.push({
        address,
        mode: "managed",
        type,
        values: { id: object.graphql_id ?? id, ...uuids, ...ids },
      });
    }
    const file = join(testFolder(), "terraform-state.json");
    writeFileSync(file, JSON.stringify({ values: { root_module: { resources } } }));
    return file;
  }

  test("is moved by the guide's tables: nothing is created, changed, replaced or deleted, and then nothing changes", async () => {
    const blocks = blocksOf(readFileSync(join(CHECKOUT, "test/examples/terraform/main.tf"), "utf8"));
    expect(blocks.length).toBeGreaterThan(14);
    const from = terraformImports(await applied(blocks));
    const engine = engineOf(backend, service);
    const { organizationData: data } = service.emulator;
    const { organizationRules, organizations, pipelines, teams, ...others } = data;
    const { notificationServices, pipelineSchedules, teamPipelines } = others;
    const watched = [organizationRules, organizations, pipelines, teams];
    const live = () =>
      [...watched, notificationServices, pipelineSchedules, teamPipelines].map((all) => all.list());
    const before = structuredClone(live());
    service.emulator.clearRequests();
    const resources = blocks.filter(({ type }) => type !== "buildkite_pipeline_webhook");
    const importing = resources.map((block) =>
      declared(block, isImported(block) ? from(block.address) : undefined),
    );
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
    const moved = resources.map((block) => declared(block, undefined));
    expect(await engine.up(moved)).toMatchObject({ errors: [] });
    expect(await engine.refresh()).toMatchObject({ errors: [] });
    const { steps, errors } = await engine.preview(moved);
    expect([errors, new Set(Object.values(steps))]).toEqual([[], new Set(["same"])]);
    expect([service.writes, live()]).toEqual([[], before]);
    // Terraform's webhook becomes an argument, for which the API refuses a second one.
    const withWebhook = moved.map((one) =>
      one.name === "buildkite_pipeline.api" ? { ...one, args: { ...one.args, createWebhook: true } } : one,
    );
    expect(await engine.up(withWebhook)).toMatchObject({ errors: [] });
    expect(live()).toEqual(before);
  });
});
