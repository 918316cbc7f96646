import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { isUnknown } from "../../shared/protocol/encoded-values.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import { IMPORT_MARK, namesAmong, UNKNOWN_AT_IMPORT } from "../../shared/protocol/properties.js";
import type { Context, Place } from "../kind/behavior.js";
import { canonicalSet } from "../kind/canonical.js";
import { pipelineId } from "../kind/fields.js";
import type { EmbeddedUser, Kind, OneOf } from "../kind/kind.js";
import { loses, opens, opensInside, stops, when } from "../kind/review.js";
import { choice, list, text } from "../kind/shape.js";
import type { Known } from "../kind/value-roles.js";
import { type Get, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import { OrganizationRuleType } from "./enumerations.js";
import type { Pipeline } from "./pipeline.js";

/** Arguments of an {@link OrganizationRule}. Changing any of them replaces the rule: the API can't change one. */
export interface OrganizationRuleArgs {
  /**
   * What the rule allows: `pipeline.trigger_build.pipeline`, or `pipeline.artifacts_read.pipeline` for jobs that download.
   * Required.
   */
  type: pulumi.Input<OneOf<"pipeline.trigger_build.pipeline" | "pipeline.artifacts_read.pipeline">>;
  /** Pipeline that triggers, or whose jobs read: a {@link Pipeline} or the UUID of one. Required. */
  sourcePipelineId: pulumi.Input<string> | Pipeline;
  /** Pipeline that is built, or whose artifacts are read: a {@link Pipeline} or the UUID of one. Required. */
  targetPipelineId: pulumi.Input<string> | Pipeline;
  /**
   * Conditions, all of which must hold. A rule with conditions also forbids what doesn't meet them. The API never returns them,
   * and Buildkite shows them to people whose builds are refused. Default: none.
   * @example ["source.build.branch == 'main'"]
   */
  conditions?: pulumi.Input<pulumi.Input<string>[] | undefined>;
}

/** The body, of which the behavior makes a rule's document. */
interface Create {
  type: string;
  source_pipeline: string;
  target_pipeline: string;
  conditions?: readonly string[];
}

const FORBIDS =
  "With conditions, a rule also forbids what doesn't meet them, even what no rule is needed for.";
const OLD = "What only the old one allows between clusters fails from then on.";
const GAP =
  "Until then, what {it allows|they allow} between clusters fails, and within one, what {its|their} conditions forbid is allowed.";

const VERBS: Readonly<Record<string, string>> = {
  [OrganizationRuleType.PipelineTriggerBuildPipeline]: "triggers",
  [OrganizationRuleType.PipelineArtifactsReadPipeline]: "reads artifacts of",
};

/** A pipeline of the rule. An id that isn't known yet may be the same one. */
function pipelineOf<Sent extends "source" | "target">(of: Sent) {
  const argument = `${of}PipelineId` as const;
  return {
    ...pipelineId,
    refersTo: "Pipeline",
    takesResource: true,
    review: when({
      changed: opensInside(`{is|are} for another ${of} pipeline: {after} instead of {before}`),
    }),
    sentAs: `${of}_pipeline`,
    returnedAs: `${of}_uuid`,
    creationOnly: true,
    replaces: "sometimes",
    replacesFor: (next: unknown, known: Known) => !isUnknown(next) && !isSameObject(next, known[argument]),
  } as const;
}

/**
 * A rule of the organization, by which one pipeline may trigger another, or read its artifacts, also in another cluster.
 * Needs the scopes `read_rules` and `write_rules`, and an access token of an admin.
 *
 * The API can't change a rule, so a change creates the new one and then deletes the old one. If the API refuses two rules for one
 * pair, the old one stays; Pulumi's option `deleteBeforeReplace` accepts that there is none in between.
 *
 * `{ import: "<uuid>" }` or `{ import: "<type>:<source slug|uuid>:<target slug|uuid>" }` imports an existing rule. Its conditions
 * stay unknown.
 *
 * @example
 * ```ts
 * new OrganizationRule("storefront-deploys", {
 *   type: "pipeline.trigger_build.pipeline",
 *   sourcePipelineId: storefront,
 *   targetPipelineId: deploy,
 *   conditions: ["source.build.branch == 'main'"],
 * });
 * ```
 */
export class OrganizationRule extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:OrganizationRule";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<OrganizationRule>(OrganizationRule.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "OrganizationRule",
    words: {
      noun: "organization rule",
      short: "rule",
      label: "targetPipelineId",
      composed(called) {
        const [type, source, target] = [
          called("type"),
          called("sourcePipelineId"),
          called("targetPipelineId"),
        ];
        if (type === undefined || source === undefined || target === undefined) return undefined;
        return `${source} ${VERBS[type] ?? type} ${target}`;
      },
    },
    section: "organizationRules",
    scopes: { read: [["read_rules"]], write: [["write_rules"]] },
    requires: "newer API",
    arguments: {
      type: {
        shape: choice(Object.values(OrganizationRuleType)),
        expected: '"pipeline.trigger_build.pipeline" or "pipeline.artifacts_read.pipeline"',
        review: when({ changed: opensInside("{allows|allow} something else: {after} instead of {before}") }),
        whenOmitted: "required",
        sentAs: "type",
        returnedAs: "type",
        creationOnly: true,
        replaces: true,
      },
      sourcePipelineId: pipelineOf("source"),
      targetPipelineId: pipelineOf("target"),
      conditions: {
        shape: list(text((condition) => (condition.trim() === "" ? "is blank" : undefined))),
        expected: `a list of conditionals such as ["source.build.branch == 'main'"]`,
        review: when({
          cleared: opens("no longer {has|have} the conditions {before}", { todo: "Keep the conditions." }),
          changed: opensInside("{has|have} other conditions: {after} instead of {before}"),
        }),
        whenOmitted: "ignored",
        mayBeLeftOut: "anywhere",
        sentAs: "conditions",
        creationOnly: true,
        replaces: true,
        canonical: canonicalSet,
      },
    },
    review: {
      created: opensInside("{lets|let} {sourcePipelineId} use {targetPipelineId} ({type})", {
        rest: "With conditions, {it also forbids|they also forbid} what doesn't meet them.",
      }),
      deleted: [
        loses("{is|are} deleted", {
          rest: "Between clusters, what {it allows|they allow} fails from then on; within one, what {its|their} conditions forbid is allowed.",
        }),
      ],
      replaced: [true, undefined].flatMap((deletesFirst) => {
        const how = deletesFirst
          ? "{is|are} deleted before {its replacement is|their replacements are} created"
          : "{is|are} replaced, the old one after the new one";
        const other = deletesFirst
          ? "{is|are} deleted before one with other conditions is created"
          : "{is|are} replaced by one with other conditions, the old one after the new one";
        const gap = deletesFirst ? `${GAP} ` : "";
        const when = deletesFirst && { deletesFirst };
        return [
          { ...when, changingOnly: ["conditions"], ...stops(other, { rest: `${gap}${FORBIDS}` }) },
          { ...when, changing: ["conditions"], ...stops(how, { rest: `${gap}${OLD} ${FORBIDS}` }) },
          { ...when, ...stops(how, { rest: `${gap}${OLD}` }) },
        ];
      }),
      allows: { jobsOf: "sourcePipelineId", unless: "conditions" },
      vanished: {
        lost: "What it allowed between clusters fails, and what its conditions forbade is allowed.",
      },
    },
    outputs: {
      url: { returnedAs: "url" },
      effect: { returnedAs: "effect" },
      action: { returnedAs: "action" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    equalIn: ["type", "sourcePipelineId", "targetPipelineId"],
    once: {
      argument: "sourcePipelineId",
      also: ["type", "targetPipelineId"],
      words: "has a rule of this type for the same pipeline by {other} already, and the API may refuse two.",
      tolerated: true,
    },
    identify: ({ uuid }) => uuid,
    importing: {
      form: "<uuid|type:source slug|uuid:target slug|uuid>",
      names: ({ type, source_uuid, target_uuid }) => [`${type}:${source_uuid}:${target_uuid}`],
      async idOf({ client }, name) {
        const [type = "", ...slugs] = name.split(":");
        if (slugs.length !== 2) return undefined;
        const idAt = (slug: string) => client.pipelines.get(slug).then(({ id }) => id);
        const [source, target] = await Promise.all(slugs.map(idAt)).catch(() => []);
        const rules = await client.organizationRules.list().all();
        return rules.find(
          (one) =>
            one.type === type &&
            isSameObject(one.source_uuid, source) &&
            isSameObject(one.target_uuid, target),
        )?.uuid;
      },
      judged: ({ type }) =>
        Object.values<string>(OrganizationRuleType).includes(type)
          ? {}
          : { refusal: `has the type ${JSON.stringify(type)}, which this package doesn't know.` },
      remarks: [
        {
          words:
            "The API doesn't return the conditions of {objects}, so the program has none. Add those that the web interface " +
            "shows: nothing is sent for it.",
        },
      ],
    },
    noticed: (known) =>
      Reflect.get(known, IMPORT_MARK) !== undefined ||
      namesAmong(Reflect.get(known, UNKNOWN_AT_IMPORT)).has("conditions")
        ? "the rule was imported, and the API doesn't return conditions, so nobody knows whether it has those of the program. " +
          (Reflect.get(known, "conditions") === undefined
            ? "The program states none, so a replacement would lose them: add those that the web interface shows. Nothing is sent " +
              "for it."
            : "To be sure, replace it: pulumi up --replace <urn>, with deleteBeforeReplace: true if the API refuses two rules.")
        : undefined,
    behavior: {
      list: ({ client, signal }) => client.organizationRules.list({ signal }),
      get: ({ client }, { id }) => client.organizationRules.get(id),
      create: ({ client }: Context, _: Place, { type, ...value }: Create, options: api.RequestOptions) =>
        client.organizationRules.create({ type, value }, options),
      delete: ({ client }, { id }) => client.organizationRules.delete(id),
    },
  } satisfies Kind<OrganizationRuleArgs, OrganizationRule, api.OrganizationRule, Create>;

  /** What the rule allows. */
  declare readonly type: pulumi.Output<
    "pipeline.trigger_build.pipeline" | "pipeline.artifacts_read.pipeline"
  >;
  /** UUID of the pipeline that triggers, or whose jobs read. */
  declare readonly sourcePipelineId: pulumi.Output<string>;
  /** UUID of the pipeline that is built, or whose artifacts are read. */
  declare readonly targetPipelineId: pulumi.Output<string>;
  /** Conditions as they were sent; the API doesn't return them. */
  declare readonly conditions: pulumi.Output<string[] | undefined>;
  /** Slug of the organization the rule is in. */
  declare readonly organization: pulumi.Output<string>;
  /** API URL. */
  declare readonly url: pulumi.Output<string>;
  /** `allow`. */
  declare readonly effect: pulumi.Output<string>;
  /** `trigger_build` or `artifacts_read`. */
  declare readonly action: pulumi.Output<string>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing rule, without its conditions, and without managing it. A missing one is an error.
   * @example OrganizationRule.get("deploys", ruleUuid)
   */
  static readonly get: Get<OrganizationRuleArgs, OrganizationRule> = get;

  constructor(name: string, args: OrganizationRuleArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}
