import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { inParent } from "../kind/behavior.js";
import { clusterId, description, inCluster, property, yamlList } from "../kind/fields.js";
import type { EmbeddedUser, Kind } from "../kind/kind.js";
import { directionOfPolicies, loses, notices, opensInside, replaced, slows, when } from "../kind/review.js";
import { map, text } from "../kind/shape.js";
import { valueOfYaml } from "../kind/yaml-text.js";
import { type GetIn, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Cluster } from "./cluster.js";

/** Arguments of a {@link ClusterSecret}. */
export interface ClusterSecretArgs {
  /** Cluster with the jobs that may read the secret: a {@link Cluster} or the UUID of one. Required. Changing it replaces the secret. */
  clusterId: pulumi.Input<string> | Cluster;
  /**
   * Name by which jobs read the secret: letters, digits and underscores, at most 255. It starts with a letter, and not
   * with `buildkite` or `bk` in any case. Unique in the cluster. Required. Changing it replaces the secret.
   * @example "DEPLOY_KEY"
   */
  key: pulumi.Input<string>;
  /**
   * The secret itself, not blank, at most 32 KiB; above 8 KiB the preview warns, because Buildkite's pages disagree on the
   * limit. Encrypted in state and masked in every output, whatever the program passes. Required. Changing it updates in
   * place, by a request of its own, before other changes.
   */
  value: pulumi.Input<string>;
  /** Purpose of the secret. Default: none. Changing it updates in place; leaving it out clears it. */
  description?: pulumi.Input<string | undefined>;
  /**
   * Which jobs may read the secret: YAML text, or a plain array of rules, one of which must apply. A rule is a map of
   * claims, all of which must match. Default: none, so that all jobs of the cluster may read it. Changing it updates in
   * place; leaving it out clears it.
   * @example [{ pipeline_slug: "storefront", build_branch: "main" }]
   */
  policy?: pulumi.Input<string | { [key: string]: unknown }[] | undefined>;
  /**
   * Any map. Changing, adding or removing it sends the value again, in place. Use it after somebody changed the value in
   * the web interface, which the API doesn't show. Default: none.
   * @example { restored: "2026-11" }
   */
  triggers?: pulumi.Input<{ [key: string]: unknown } | undefined>;
}

const LARGEST = 32 * 1024;
/** The smaller one of the two limits in Buildkite's documentation. */
const LARGEST_FOR_CERTAIN = 8 * 1024;

const READERS = { todo: "Make sure that these jobs may use {it|them}." };

/**
 * A secret of a cluster, which jobs read by its key. Needs the scopes `read_secrets_details` and `write_secrets`, and an
 * access token of an admin or of a maintainer of the cluster.
 *
 * The API never returns the value, so a deletion can't be undone, also that of the cluster. After an import, the first
 * deployment without the option `import` therefore sends the value once. If somebody else changes the secret, each refresh
 * warns of it until the value is sent again.
 *
 * `{ import: "<cluster uuid|name>/<secret uuid|key>" }` imports an existing secret.
 *
 * @example
 * ```ts
 * new ClusterSecret("deploy-key", {
 *   clusterId: linux,
 *   key: "DEPLOY_KEY",
 *   value: config.requireSecret("deployKey"),
 *   policy: [{ pipeline_slug: "storefront", build_branch: "main" }],
 * });
 * ```
 */
export class ClusterSecret extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:ClusterSecret";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<ClusterSecret>(ClusterSecret.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "ClusterSecret",
    words: { noun: "cluster secret", short: "secret", label: "key" },
    section: "clusterSecrets",
    scopes: { read: [["read_secrets_details"]], write: [["write_secrets"]] },
    requires: "newer API",
    parent: inCluster,
    arguments: {
      clusterId,
      key: {
        shape: text(problemOfKey),
        expected: 'letters, digits and underscores such as "DEPLOY_KEY", at most 255',
        review: replaced,
        whenOmitted: "required",
        ...property("key"),
        creationOnly: true,
        replaces: true,
      },
      value: {
        shape: text(problemOfValue),
        expected: "text of at most 32 KiB that is not blank",
        review: when({
          changed: notices("{gets|get} another value", { rest: "Jobs that start from then on read it." }),
        }),
        doubt: (value) =>
          Buffer.byteLength(value) > LARGEST_FOR_CERTAIN
            ? "is larger than 8 KiB. Buildkite's pages name 8 KB and 32 KB as the limit, so the API may refuse it."
            : undefined,
        whenOmitted: "required",
        secret: true,
        sentAs: "value",
        isFirst: true,
        changesWith: ["triggers"],
        apply: ({ client }, { parent, id }, { value = "" }) =>
          client.clusterSecrets.updateValue(parent, id, { value }),
      },
      description,
      policy: {
        ...yamlList("- pipeline_slug: storefront"),
        review: when(
          {
            cleared: opensInside(
              "can be read by jobs of every pipeline of {its cluster|their clusters}, and no longer only by those that {its policy names|their policies name}",
              { todo: "Keep the policy, or make sure that all of these pipelines may use {it|them}." },
            ),
            more: opensInside("can be read by more jobs", READERS),
            changed: opensInside("can be read by other jobs", READERS),
            less: slows("can be read by fewer jobs", {
              todo: "Make sure that no job which the policy leaves out needs {it|them}.",
            }),
          },
          { compare: directionOfPolicies, none: "every pipeline of the cluster" },
        ),
        doubt: doubtOfPolicy,
        whenOmitted: "cleared",
        clearedBy: "",
        ...property("policy"),
      },
      triggers: {
        shape: map,
        expected: 'a map such as { restored: "2026-11" }',
        review: when({ changed: notices("{gets|get} {its value|their values} again") }),
        whenOmitted: "ignored",
        providerOnly: true,
      },
    },
    review: {
      deleted: [
        loses("{is|are} deleted", {
          rest: "Jobs that read {it by this key|them by these keys} no longer get {it|them}.",
        }),
      ],
      replaced: [
        loses("{is|are} replaced", {
          rest: "Jobs that read {it by this key|them by these keys} no longer get {it|them}.",
        }),
      ],
      vanished: { lost: "Jobs that read it no longer get it.", remains: "A new secret has another id." },
    },
    outputs: {
      url: { returnedAs: "url" },
      clusterUrl: { returnedAs: "cluster_url" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
      updatedAt: { returnedAs: "updated_at", changesWith: "any" },
      updatedBy: { returnedAs: "updated_by", user: true, changesWith: "any" },
    },
    onlyRead: { lastReadAt: "last_read_at" },
    identify: (secret) => secret.id,
    unique: { argument: "key", isRefused: true },
    inSteps: {
      place: /^(?:secrets\/[^/]+|checkout\/ssh_secret)$/,
      output: "key",
      none: "is no secret of the pipeline's cluster",
      consequence: "Jobs of such a step fail when they start",
      isRejected: false,
      stops: "{its|their} jobs would fail when they start",
      level: "danger",
      allowedBy: {
        argument: "policy",
        claims: {
          pipeline_id: { kind: "Pipeline", output: "id" },
          pipeline_slug: { kind: "Pipeline", output: "slug" },
          cluster_queue_key: { kind: "Queue", output: "key" },
        },
      },
    },
    once: {
      argument: "key",
      words: "is the key of {other} in the same cluster already. Give each secret in a cluster its own key.",
    },
    importing: {
      form: "<secret uuid|key>",
      names: (secret) => [secret.key],
      remarks: [
        {
          words:
            "The values of {objects} cannot be read back, so the program takes them from the stack's configuration: set " +
            "each with `pulumi config set --secret` before the first deployment, which sends it.",
        },
      ],
    },
    behavior: inParent((client) => client.clusterSecrets),
  } satisfies Kind<
    ClusterSecretArgs,
    ClusterSecret,
    api.ClusterSecret,
    api.ClusterSecretCreate,
    api.ClusterSecretUpdate
  >;

  /** UUID of the cluster. */
  declare readonly clusterId: pulumi.Output<string>;
  /** Name by which jobs read the secret. */
  declare readonly key: pulumi.Output<string>;
  /** The secret itself, encrypted in state: the value that this stack sent last, which the API doesn't return. */
  declare readonly value: pulumi.Output<string>;
  /** Purpose of the secret. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Which jobs may read the secret, as YAML text. */
  declare readonly policy: pulumi.Output<string | undefined>;
  /** Values that send the secret again when they change. */
  declare readonly triggers: pulumi.Output<{ [key: string]: unknown } | undefined>;
  /** Slug of the organization the secret is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Canonical API URL. */
  declare readonly url: pulumi.Output<string>;
  /** API URL of the cluster. */
  declare readonly clusterUrl: pulumi.Output<string>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;
  /** When its value, description or policy was changed last, ISO 8601 in UTC. */
  declare readonly updatedAt: pulumi.Output<string | undefined>;
  /** User who changed it last; undefined until the first change. */
  declare readonly updatedBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing secret, without its value, and without managing it. A missing one is an error.
   * @example ClusterSecret.get("deploy-key", secretUuid, { clusterId: clusterUuid })
   */
  static readonly get: GetIn<ClusterSecretArgs, ClusterSecret, "clusterId"> = get;

  constructor(name: string, args: ClusterSecretArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

function problemOfKey(key: string): string | undefined {
  if (key === "") return "is empty";
  if (!/^[A-Za-z]/.test(key)) return "does not start with a letter";
  if (!/^\w+$/.test(key)) return "has characters that a key cannot have";
  if (key.length > 255) return "is longer than 255 characters";
  return /^(buildkite|bk)/i.test(key) ? "begins with a word that Buildkite keeps for itself" : undefined;
}

function problemOfValue(value: string): string | undefined {
  if (value.trim() === "") return "is blank";
  return Buffer.byteLength(value) > LARGEST ? "is larger than 32 KiB" : undefined;
}

const CLAIMS: readonly string[] = [
  "pipeline_id",
  "pipeline_slug",
  "build_branch",
  "build_creator",
  "build_creator_team",
  "build_source",
  "cluster_queue_id",
  "cluster_queue_key",
];

/** Returns what no rule of a policy may mean; undefined if there is nothing. */
function doubtOfPolicy(policy: unknown): string | undefined {
  const rules: unknown = typeof policy === "string" ? valueOfYaml(policy) : policy;
  if (!Array.isArray(rules))
    return rules === undefined ? undefined : "is no list of rules. Write each as - pipeline_slug: …";
  const claims = rules.map((rule: unknown) => Object.keys({ ...Object(rule) }));
  const unknown = claims.flat().filter((claim) => !CLAIMS.includes(claim));
  const words = [
    ...(unknown.length > 0
      ? [
          `names the claims ${unknown.join(", ")}, which Buildkite doesn't document. They are ${CLAIMS.join(", ")}.`,
        ]
      : []),
    ...(claims.some((own) => own.length === 0)
      ? ["has a rule without claims, which may give access to every build."]
      : []),
  ];
  return words.length === 0 ? undefined : words.join(" ");
}
