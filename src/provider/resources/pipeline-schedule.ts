import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import { pagedList } from "../../client/api/list.js";
import type * as api from "../../client/index.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import { withCode } from "../../shared/protocol/message-codes.js";
import type { Address, Place, Reads } from "../kind/behavior.js";
import { boolean, optionalText, pipelineId, property, requiredText, unmanagedText } from "../kind/fields.js";
import type { EmbeddedUser, Kind } from "../kind/kind.js";
import { ifAnywhere, pipelineWithId } from "../kind/pipelines.js";
import { nothing, notices, stops, when } from "../kind/review.js";
import { mapOf, text } from "../kind/shape.js";
import { type GetIn, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Pipeline } from "./pipeline.js";

/** Arguments of a {@link PipelineSchedule}. */
export interface PipelineScheduleArgs {
  /** Pipeline to build: a {@link Pipeline} or the UUID of one. Required. Changing it replaces the schedule. */
  pipelineId: pulumi.Input<string> | Pipeline;
  /**
   * When builds start: `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`, or five cron fields with an optional time
   * zone, which is UTC by default. At least 10 minutes must lie between two builds. Required. Changing it updates in place.
   * @example "0 3 * * 1-5 Europe/Berlin"
   */
  cronline: pulumi.Input<string>;
  /** Name of the schedule. Default: the provider doesn't manage it. Changing it updates in place. */
  label?: pulumi.Input<string | undefined>;
  /** Branch to build. Default: the provider doesn't manage it, and the API takes the pipeline's default branch. Changing it updates in place. */
  branch?: pulumi.Input<string | undefined>;
  /** Commit to build. Default: the provider doesn't manage it, and the API takes `HEAD`. Changing it updates in place. */
  commit?: pulumi.Input<string | undefined>;
  /** Message of the builds. Default: none. Changing it updates in place; leaving it out clears it. */
  message?: pulumi.Input<string | undefined>;
  /** Environment variables of the builds. Default: none. Changing it updates in place, and replaces all of them. */
  env?: pulumi.Input<{ [variable: string]: pulumi.Input<string> } | undefined>;
  /**
   * False if the schedule starts no builds. Default: the provider doesn't manage it, so that an operator can stop a
   * schedule. Changing it updates in place; `true` also clears the last failure.
   */
  enabled?: pulumi.Input<boolean | undefined>;
}

/**
 * A schedule, which starts builds of a pipeline. Needs the scopes `read_pipelines` and `write_pipelines`.
 *
 * Builds run with the access of the user who created the schedule. Buildkite disables a schedule whose build it can't
 * create, for example because that user left the organization or lost access to the pipeline; each refresh then warns
 * with the reason. So deploy schedules with the access token of a user who stays.
 *
 * A deletion keeps the builds that the schedule started. Deleting the pipeline deletes its schedules, and renaming it
 * changes nothing.
 *
 * `{ import: "<pipeline slug|uuid>/<schedule uuid|label>" }` imports an existing schedule.
 *
 * @example
 * ```ts
 * new PipelineSchedule("nightly", {
 *   pipelineId: storefront,
 *   label: "Nightly",
 *   cronline: "0 3 * * * Europe/Berlin",
 *   env: { FULL: "true" },
 * });
 * ```
 */
export class PipelineSchedule extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:PipelineSchedule";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<PipelineSchedule>(PipelineSchedule.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "PipelineSchedule",
    words: { noun: "pipeline schedule", short: "schedule", label: "label" },
    section: "pipelineSchedules",
    scopes: { read: [["read_pipelines"]], write: [["write_pipelines"]] },
    requires: "newer API",
    parent: { kind: "Pipeline", argument: "pipelineId" },
    arguments: {
      pipelineId,
      cronline: {
        ...requiredText,
        review: when({
          changed: notices("{starts|start} builds at other times: {after} instead of {before}"),
        }),
        expected: 'a cron line such as "0 3 * * * Europe/Berlin", or an interval such as "@daily"',
        doubt: doubtOfCronline,
        ...property("cronline"),
      },
      label: { ...unmanagedText, review: nothing, shape: text(problemOfBlank), ...property("label") },
      branch: {
        ...unmanagedText,
        review: when({ changed: notices("{builds|build} another branch: {after} instead of {before}") }),
        shape: text(problemOfBlank),
        ...property("branch"),
      },
      commit: {
        ...unmanagedText,
        review: when({ changed: notices("{builds|build} another commit: {after} instead of {before}") }),
        shape: text(problemOfBlank),
        ...property("commit"),
      },
      message: { ...optionalText, review: nothing, ...property("message") },
      env: {
        shape: mapOf(text()),
        expected: 'a map of texts such as { FULL: "true" }',
        review: when({ changed: notices("{gives|give} {its|their} builds other variables") }),
        whenOmitted: "cleared",
        clearedBy: {},
        ...property("env"),
        canonical: (env) => (env === undefined || Object.keys(env).length === 0 ? undefined : env),
      },
      enabled: {
        ...boolean,
        review: when({
          true: notices("{is|are} enabled, so {it starts|they start} builds ({cronline})"),
          false: stops("{is|are} disabled, so {it starts|they start} no more builds ({cronline})"),
        }),
        whenOmitted: "unmanaged",
        byOperator: true,
        ...property("enabled"),
      },
    },
    review: {
      deleted: [
        { if: { enabled: false }, ...notices("{is|are} deleted", { rest: "{It was|They were} disabled." }) },
        stops("{is|are} deleted, so {it starts|they start} no more builds ({cronline})"),
      ],
      vanished: { lost: "It starts no more builds." },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      url: { returnedAs: "url" },
      pipelineSlug: { returnedAs: "pipeline.slug" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    equalIn: ["label", "cronline", "branch", "message", "env"],
    onlyRead: { nextBuildAt: "next_build_at", failedAt: "failed_at", failedMessage: "failed_message" },
    identify: (schedule) => schedule.id,
    importing: {
      form: "<schedule uuid|label>",
      names: (schedule) => [schedule.label],
      remarks: [
        {
          when: ({ env }) => Object.keys(Object(env)).length > 0,
          words:
            "The program has the variables (`env`) of {objects} as plain text, as the API returns them. Move those that are " +
            "secret into the configuration of the stack, before you commit the program.",
        },
        {
          when: ({ enabled }) => enabled === false,
          words: "Disabled now: {objects}. The program does not manage that; `enabled: false` would.",
        },
      ],
    },
    noticed: (_, { label, id, enabled, failed_message: reason, failed_at: at }) =>
      enabled === false && reason
        ? // Warning schedule-disabled: Buildkite couldn't create a scheduled build, and disabled the schedule.
          // Fix: Remove the cause that the message shows, then enable the schedule.
          withCode(
            `Buildkite disabled the schedule ${JSON.stringify(label ?? id)}${at ? ` at ${at}` : ""}: ${JSON.stringify(reason)} It starts no builds until ` +
              "somebody enables it again.",
            "schedule-disabled",
          )
        : undefined,
    behavior: {
      list: (reads, place) => pagedList(() => pagesOf(reads, place)),
      async get(reads, at) {
        const getAt = async (slug: string) => [[await reads.client.pipelineSchedules.get(slug, at.id)]];
        const [[found] = []] = await readAt(reads, at, getAt);
        return found;
      },
      create: async (context, place, body: api.PipelineScheduleCreate, options) =>
        context.client.pipelineSchedules.create(
          shownSlug(place) ?? (await slugOf(context, place)),
          body,
          options,
        ),
      update: async (context, at, body) =>
        context.client.pipelineSchedules.update(await slugOf(context, at), at.id, body),
      delete: async (context, at) =>
        context.client.pipelineSchedules.delete(await slugOf(context, at), at.id),
    },
  } satisfies Kind<
    PipelineScheduleArgs,
    PipelineSchedule,
    api.PipelineSchedule,
    api.PipelineScheduleCreate,
    api.PipelineScheduleUpdate
  >;

  /** UUID of the pipeline. */
  declare readonly pipelineId: pulumi.Output<string>;
  /** When builds start. */
  declare readonly cronline: pulumi.Output<string>;
  /** Name of the schedule. */
  declare readonly label: pulumi.Output<string | undefined>;
  /** Branch to build. */
  declare readonly branch: pulumi.Output<string | undefined>;
  /** Commit to build. */
  declare readonly commit: pulumi.Output<string | undefined>;
  /** Message of the builds. */
  declare readonly message: pulumi.Output<string | undefined>;
  /** Environment variables of the builds. */
  declare readonly env: pulumi.Output<{ [variable: string]: string } | undefined>;
  /** False if the schedule starts no builds. */
  declare readonly enabled: pulumi.Output<boolean | undefined>;
  /** Slug of the organization the schedule is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for Buildkite's GraphQL API. */
  declare readonly graphqlId: pulumi.Output<string>;
  /** API URL, with the slug of the pipeline. */
  declare readonly url: pulumi.Output<string>;
  /** Slug of the pipeline when the schedule was read last. */
  declare readonly pipelineSlug: pulumi.Output<string | undefined>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it, with whose access the builds run. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing schedule without managing it. A missing one is an error.
   * @example PipelineSchedule.get("nightly", scheduleUuid, { pipelineId: pipelineUuid })
   */
  static readonly get: GetIn<PipelineScheduleArgs, PipelineSchedule, "pipelineId"> = get;

  constructor(name: string, args: PipelineScheduleArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

async function* pagesOf(reads: Reads, place: Place) {
  const listAt = async (slug: string) => {
    const pages: api.PipelineSchedule[][] = [];
    const list = reads.client.pipelineSchedules.list(slug, { signal: reads.signal });
    for await (const page of list.pages()) pages.push(page);
    return pages;
  };
  const shown = shownSlug(place);
  yield* await (shown === undefined ? readAt(reads, place, listAt) : listAt(shown));
}

function shownSlug({ shown }: Place): string | undefined {
  return typeof shown?.slug === "string" ? shown.slug : undefined;
}

/**
 * Reads at the slug that was known last, where schedules name their pipeline's UUID themselves. If none does, or one
 * names another pipeline, a read of the pipeline shows its slug first, because another pipeline may have the old one.
 */
async function readAt(
  reads: Reads,
  place: Place & Partial<Address<"pipelineSlug">>,
  read: (slug: string) => Promise<api.PipelineSchedule[][]>,
): Promise<api.PipelineSchedule[][]> {
  const last = place.known?.pipelineSlug;
  const pages = typeof last === "string" ? ((await ifAnywhere(read(last))) ?? []) : [];
  const schedules = pages.flat();
  const isThere =
    schedules.length > 0 && schedules.every(({ pipeline }) => isSameObject(pipeline?.id, place.parent));
  return isThere ? pages : read(await slugOf(reads, place));
}

/** Returns the slug at which a read has just shown the pipeline. @throws NotFoundError where there is none */
async function slugOf(
  reads: Reads,
  { parent, known }: Place & Partial<Address<"pipelineSlug">>,
): Promise<string> {
  const found =
    (await pipelineWithId(reads, parent, known?.pipelineSlug)) ?? (await reads.client.pipelines.get(parent));
  if (found.id.toLowerCase() === parent.toLowerCase()) return found.slug;
  throw new Error(`The API returned the pipeline ${found.id} in place of ${parent}.`);
}

function problemOfBlank(text: string): string | undefined {
  return text.trim() === "" ? "is blank" : undefined;
}

const INTERVALS = /^@(hourly|daily|midnight|weekly|monthly|yearly|annually)$/;

/** What the five fields may have, in their order. */
const RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  minute: [0, 59],
  hour: [0, 23],
  day: [1, 31],
  month: [1, 12],
  weekday: [0, 7],
};

function doubtOfCronline(line: string): string | undefined {
  const text = line.trim();
  const fields = text.split(/\s+/);
  if (text.startsWith("@"))
    return INTERVALS.test(text)
      ? undefined
      : "is no interval that Buildkite documents, so the API may refuse it.";
  if (text.includes("~")) return "has ~, which Buildkite doesn't document, so the API may refuse it.";
  if (fields.length < 5 || fields.length > 6)
    return "has neither five nor six fields: minute, hour, day, month, weekday and a time zone. The API may refuse it.";
  const [minutes = "", , , , , zone] = fields;
  if (zone !== undefined && !isTimeZone(zone))
    return `has the time zone ${JSON.stringify(zone)}, which this computer doesn't know, so the API may refuse it.`;
  const outside = Object.entries(RANGES).flatMap(([name, [least, most]], index) =>
    (fields[index] ?? "")
      .replace(/\/\d+/g, "")
      .split(/[,-]/)
      .filter((part) => /^\d+$/.test(part) && (Number(part) < least || Number(part) > most))
      .map((part) => `${name} ${part}`),
  );
  if (outside.length > 0) return `has the ${outside.join(" and the ")}, out of range. The API may refuse it.`;
  return shortest(minutes) < 10
    ? "has less than 10 minutes between two builds, which Buildkite doesn't support."
    : undefined;
}

function isTimeZone(zone: string): boolean {
  if (/^[+-]\d\d:?\d\d$/.test(zone)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns the shortest time between two minutes of an hour that a field names. */
function shortest(field: string): number {
  const named = field.split(",").flatMap((part) => {
    const [, range = "", step = "1"] = /^(\*|\d+(?:-\d+)?)(?:\/(\d+))?$/.exec(part) ?? [];
    if (range === "" || Number(step) === 0) return [];
    const [from = 0, to] = range === "*" ? [0, 59] : range.split("-").map(Number);
    const last = to ?? (part.includes("/") ? 59 : from);
    return Array.from(
      { length: Math.floor((last - from) / Number(step)) + 1 },
      (_, i) => from + i * Number(step),
    );
  });
  const minutes = [...new Set(named)].sort((a, b) => a - b);
  return Math.min(...minutes.map((minute, i) => (minutes[i + 1] ?? (minutes[0] ?? 0) + 60) - minute), 60);
}
