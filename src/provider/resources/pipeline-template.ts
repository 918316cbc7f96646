import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { inOrganization } from "../kind/behavior.js";
import { description, distinctName, flag, property, requiredText, stepsInYaml } from "../kind/fields.js";
import type { EmbeddedUser, Kind } from "../kind/kind.js";
import { loses, nothing, notices, when } from "../kind/review.js";
import { type Get, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";

/** Arguments of a {@link PipelineTemplate}. */
export interface PipelineTemplateArgs {
  /** Name of the template. Required, not blank. Changing it updates in place. */
  name: pulumi.Input<string>;
  /**
   * The steps: YAML text, or a plain object that the provider writes as YAML which parsers of version 1.1 and 1.2
   * read alike. In TypeScript also what the steps of a {@link Pipeline} may be and have. Required. Text stays as you
   * write it, so changing a comment is an update, but another layout of the same YAML on Buildkite isn't drift.
   * Changing it updates in place.
   * @example "steps:\n  - command: make test\n"
   * @example { steps: [{ command: "make test" }] }
   */
  // biome-ignore lint/suspicious/noExplicitAny: an interface, as typed steps have, is assignable to no other map.
  configuration: pulumi.Input<string | { [key: string]: any }>;
  /** Purpose of the template. Default: none. Changing it updates in place; leaving it out clears it. */
  description?: pulumi.Input<string | undefined>;
  /** True if people who aren't administrators can assign the template to pipelines. Default: false. Changing it updates in place. */
  available?: pulumi.Input<boolean | undefined>;
}

/**
 * A pipeline template: a shared step configuration. Needs the scopes `read_pipeline_templates` and
 * `write_pipeline_templates`, Buildkite's Enterprise plan, and an administrator's access token. `doctor` reports if
 * the API refuses templates. The API also refuses to delete a template that a pipeline uses.
 *
 * `{ import: "<uuid|name>" }` imports an existing template.
 *
 * @example
 * ```ts
 * new PipelineTemplate("node", {
 *   name: "Node service",
 *   configuration: { steps: [{ label: ":node: test", command: "npm test" }] },
 *   available: true,
 * });
 * ```
 */
export class PipelineTemplate extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:PipelineTemplate";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<PipelineTemplate>(PipelineTemplate.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "PipelineTemplate",
    words: { noun: "pipeline template", short: "template", label: "name" },
    section: "pipelineTemplates",
    scopes: { read: [["read_pipeline_templates"]], write: [["write_pipeline_templates"]] },
    arguments: {
      name: { ...requiredText, review: nothing, ...property("name") },
      configuration: {
        ...stepsInYaml,
        whenOmitted: "required",
        ...property("configuration"),
      },
      description,
      available: {
        ...flag,
        review: when({
          true: notices("can also be assigned by people who aren't administrators"),
          false: notices("can be assigned only by administrators", {
            now: "hide",
            rest: "The API doesn't show which pipelines use a template.",
          }),
        }),
        ...property("available"),
      },
    },
    review: {
      deleted: [
        loses("{is|are} deleted", {
          rest: "Look for pipelines that use {it|them}: the API doesn't show them.",
        }),
      ],
      vanished: {
        lost: "The API doesn't show which pipelines used it.",
        remains: "A new template has another id, and no pipeline uses it until somebody assigns it.",
      },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      url: { returnedAs: "url" },
      webUrl: { returnedAs: "web_url" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
      updatedAt: { returnedAs: "updated_at", changesWith: "any" },
      updatedBy: { returnedAs: "updated_by", user: true, changesWith: "any" },
    },
    identify: (template) => template.uuid,
    requires: "Enterprise plan",
    hidden: {
      when: ({ available }) => available !== true,
      words: "a template that is not available is hidden from people who are not admins",
      evidence: { is: "enough", of: ({ available }) => available !== true },
    },
    once: distinctName,
    importing: { form: "<template uuid|name>", names: (template) => [template.name] },
    behavior: inOrganization((client) => client.pipelineTemplates),
  } satisfies Kind<
    PipelineTemplateArgs,
    PipelineTemplate,
    api.PipelineTemplate,
    api.PipelineTemplateCreate,
    api.PipelineTemplateUpdate
  >;

  /** Name of the template. */
  declare readonly name: pulumi.Output<string>;
  /** The steps as YAML text. */
  declare readonly configuration: pulumi.Output<string>;
  /** Purpose of the template. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** True if people who are not admins can assign it. */
  declare readonly available: pulumi.Output<boolean>;
  /** Slug of the organization the template is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for the service's GraphQL interface. */
  declare readonly graphqlId: pulumi.Output<string>;
  /** Canonical API URL. */
  declare readonly url: pulumi.Output<string>;
  /** Address in the web interface. */
  declare readonly webUrl: pulumi.Output<string>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;
  /** When it was last updated, ISO 8601 in UTC. */
  declare readonly updatedAt: pulumi.Output<string>;
  /** User who updated it last. */
  declare readonly updatedBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing template without managing it. A missing one is an error.
   * @example PipelineTemplate.get("node", templateUuid)
   */
  static readonly get: Get<PipelineTemplateArgs, PipelineTemplate> = get;

  constructor(name: string, args: PipelineTemplateArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}
