import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { type Address, type Context, inParent } from "../kind/behavior.js";
import { deleteQueue } from "../kind/default-queue.js";
import { boolean, clusterId, description, inCluster, optionalText, property } from "../kind/fields.js";
import {
  type Hosted,
  hasHosted,
  hostedAgentsIn,
  isOtherMachine,
  withoutImage,
} from "../kind/hosted-agents.js";
import type { EmbeddedUser, Kind, OneOf, Plain } from "../kind/kind.js";
import { loses, nothing, notices, replaced, slows, when } from "../kind/review.js";
import { choice, object, text } from "../kind/shape.js";
import { type GetIn, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Cluster } from "./cluster.js";
import { QueueRetryAgentAffinity } from "./enumerations.js";

const LOOK = { unread: "Look for jobs that wait for this queue." };
const NAMES = { rest: "Steps and agents that name {old.key} must name {key} from then on." };

/** Arguments of a {@link Queue}. */
export interface QueueArgs {
  /** Cluster the queue is in: a {@link Cluster} or the UUID of one. Required. Changing it replaces the queue. */
  clusterId: pulumi.Input<string> | Cluster;
  /**
   * Key by which agents and steps name the queue: letters, digits, hyphens and underscores. Unique in the
   * cluster. Required. Changing it replaces the queue.
   * @example "linux-large"
   */
  key: pulumi.Input<string>;
  /**
   * Purpose of the queue. Default: none. Changing it updates in place; leaving it out clears it.
   * @example "16 cores, for release builds"
   */
  description?: pulumi.Input<string | undefined>;
  /**
   * `true` pauses the dispatch of jobs to the queue's agents, and `false` resumes it; the next deployment that refreshes
   * then undoes a change by an operator. Without this argument, Pulumi doesn't manage pausing, so a pause during an
   * incident is no drift. Changing it updates in place.
   */
  dispatchPaused?: pulumi.Input<boolean | undefined>;
  /**
   * Reason for the pause, sent when the queue is paused. If you change it while the queue stays paused, the provider only
   * stores it, because the API takes a new note only after a resume, which would start jobs. Default: none.
   */
  dispatchPausedNote?: pulumi.Input<string | undefined>;
  /**
   * Agent that a retried job gets: `prefer-warmest` (the service's default) or `prefer-different`. For queues of agents of
   * your own. Without this argument, Pulumi doesn't manage it. Changing it updates in place.
   */
  retryAgentAffinity?: pulumi.Input<OneOf<"prefer-warmest" | "prefer-different"> | undefined>;
  /**
   * Agents that Buildkite runs. Without this argument, Pulumi doesn't manage them, and writing down what is there changes
   * nothing. Another size updates in place. The queue is replaced only if it is no hosted queue yet, or if its machine type
   * or architecture differs.
   * @example { instanceShape: "LINUX_AMD64_4X16" }
   */
  hostedAgents?: pulumi.Input<HostedAgents | undefined>;
}

/** Agents of a hosted queue. */
export interface HostedAgents {
  /** Machine of each agent, such as `LINUX_AMD64_4X16` or `MACOS_ARM64_M4_6X28`. */
  instanceShape: pulumi.Input<string>;
  /** Image of the agents, on Linux only. Default: the organization's; leaving it out later keeps the last one. */
  agentImageRef?: pulumi.Input<string | undefined>;
}

/**
 * A queue: a group of agents within a cluster. Needs the scopes `read_clusters` and `write_clusters`. A cluster has at
 * most 50 queues.
 *
 * Changing `clusterId` or `key` replaces the queue. Because keys are unique in a cluster, Pulumi deletes the old queue
 * first if the key stays the same. A replacement by `--replace`, `replacementTrigger` or `pulumi state taint`
 * also needs `deleteBeforeReplace: true`; without it, the preview fails. A key that another resource gives up in the same deployment isn't free yet: two queues that swap keys
 * need three deployments, with a temporary key. The provider refuses to replace a queue of hosted agents unless the
 * program states its `hostedAgents`.
 *
 * The API may refuse to delete a cluster's default queue. The provider then tries again for some seconds, because the
 * {@link ClusterDefaultQueue} may be deleted at the same time, and afterwards clears the default, with a warning.
 *
 * `{ import: "<cluster uuid|name>/<queue uuid|key>" }` imports an existing queue.
 *
 * @example
 * ```ts
 * new Queue("deploy", {
 *   clusterId: linux,
 *   key: "deploy",
 *   dispatchPaused: true,
 *   dispatchPausedNote: "Release freeze until Monday",
 * });
 * ```
 */
export class Queue extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:Queue";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<Queue>(Queue.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "Queue",
    words: { noun: "queue", label: "key" },
    drawn: { as: "paused", argument: "dispatchPaused" },
    section: "queues",
    scopes: { read: [["read_clusters"]], write: [["write_clusters"]] },
    parent: inCluster,
    arguments: {
      clusterId,
      key: {
        shape: text((key) =>
          key === ""
            ? "is empty"
            : /^[A-Za-z0-9_-]+$/.test(key)
              ? undefined
              : "has characters that a key cannot have",
        ),
        expected: 'letters, digits, hyphens and underscores such as "linux-large"',
        review: replaced,
        whenOmitted: "required",
        sentAs: "key",
        creationOnly: true,
        returnedAs: "key",
        replaces: true,
      },
      description,
      dispatchPaused: {
        ...boolean,
        review: when({
          true: slows("{is|are} paused", { now: "pause", unread: "{Its|Their} jobs wait." }),
          false: notices("{is|are} resumed", { now: "resume", unread: "{Its|Their} jobs start." }),
        }),
        whenOmitted: "unmanaged",
        byOperator: true,
        returnedAs: "dispatch_paused",
        apply: setPaused,
      },
      // The note on the service is whoever's who paused last: never drift.
      dispatchPausedNote: {
        ...optionalText,
        review: nothing,
        whenOmitted: "unmanaged",
        byOperator: true,
        returnedAs: "dispatch_paused_note",
        providerOnly: true,
        changesWith: ["dispatchPaused"],
        canonicalOnService: () => undefined,
      },
      retryAgentAffinity: {
        shape: choice(Object.values(QueueRetryAgentAffinity)),
        expected: '"prefer-warmest" or "prefer-different"',
        review: nothing,
        whenOmitted: "unmanaged",
        mayBeLeftOut: "anywhere",
        ...property("retry_agent_affinity"),
        lostWhenReplaced: {
          is: (affinity) =>
            affinity === "prefer-warmest" ? undefined : `has the agent affinity ${affinity}`,
          becomes: "has prefer-warmest",
          unless: ["retryAgentAffinity"],
        },
      },
      hostedAgents: {
        shape: object<Hosted>({ instanceShape: text(), agentImageRef: { optional: text() } }),
        expected: 'an object such as { instanceShape: "LINUX_AMD64_4X16" }',
        review: when({ changed: notices("{gets|get} other machines") }),
        whenOmitted: "unmanaged",
        mayBeLeftOut: "anywhere",
        sentAs: "hostedAgents",
        returnedAs: "hosted_agents",
        decode: hostedAgentsIn,
        concerned: (found, wanted) => (wanted.agentImageRef === undefined ? withoutImage(found) : found),
        replaces: "sometimes",
        replacesFor: isOtherMachine,
        // The creation ignores an image, so that a second request sends it.
        apply: async ({ client }, { parent, id }, { hostedAgents }) => {
          const queue = await client.queues.get(parent, id);
          const isDone = hostedAgents === undefined || hasHosted(queue.hosted_agents, hostedAgents);
          return isDone ? queue : client.queues.update(parent, id, { hostedAgents });
        },
      },
    },
    review: {
      usedBy: "jobs",
      deleted: [loses("{is|are} deleted", LOOK)],
      replaced: [
        {
          changing: ["clusterId", "key"],
          ...loses(
            "{moves|move} to {newPlace} as {key} (a new queue; jobs that wait in the old one are not moved)",
            { ...LOOK, ...NAMES },
          ),
        },
        {
          changing: ["clusterId"],
          ...loses(
            "{moves|move} to {newPlace} (a new queue; jobs that wait in the old one are not moved)",
            LOOK,
          ),
        },
        { changing: ["key"], ...loses("{is|are} replaced by {key}", { ...LOOK, ...NAMES }) },
        loses("{is|are} replaced", LOOK),
      ],
      vanished: { lost: LOOK.unread, remains: "A new queue with this key has another id." },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      url: { returnedAs: "url" },
      webUrl: { returnedAs: "web_url" },
      clusterUrl: { returnedAs: "cluster_url" },
      hosted: {
        returnedAs: "hosted",
        default: false,
        lostWhenReplaced: {
          is: (hosted) => (hosted === true ? "runs on Buildkite hosted agents" : undefined),
          becomes: "would be a self-hosted queue",
          unless: ["hostedAgents"],
        },
      },
      dispatchPausedAt: { returnedAs: "dispatch_paused_at", changesWith: ["dispatchPaused"] },
      dispatchPausedBy: { returnedAs: "dispatch_paused_by", user: true, changesWith: ["dispatchPaused"] },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    identify: (queue) => queue.id,
    unique: { argument: "key", isRefused: true },
    inSteps: {
      place: /^(?:agents|agent_query_rules)\/queue$/,
      output: "key",
      none: "is no queue of the pipeline's cluster",
      consequence:
        "Buildkite rejects the upload of such a step, and the job of a stored one waits until it expires",
      isRejected: true,
      stops: "{its|their} jobs would wait for ever",
      hostedBy: "hostedAgents",
      level: "danger",
    },
    once: {
      argument: "key",
      words: "is the key of {other} in the same cluster already. Give each queue in a cluster its own key.",
    },
    importing: {
      form: "<queue uuid|key>",
      names: (queue) => [queue.key],
      remarks: [
        {
          when: ({ dispatchPaused }) => dispatchPaused === true,
          words: "Paused now: {objects}. The program does not manage pausing; `dispatchPaused: true` would.",
        },
      ],
    },
    behavior: { ...inParent((client) => client.queues), delete: deleteQueue },
  } satisfies Kind<QueueArgs, Queue, api.Queue, api.QueueCreate, api.QueueUpdate>;

  /** UUID of the cluster the queue is in. */
  declare readonly clusterId: pulumi.Output<string>;
  /** Key by which agents and steps name the queue. */
  declare readonly key: pulumi.Output<string>;
  /** Purpose of the queue. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** True if dispatching is paused; when pausing is not managed, as of the last read. */
  declare readonly dispatchPaused: pulumi.Output<boolean>;
  /** Why it is paused; when pausing is not managed, as of the last read. */
  declare readonly dispatchPausedNote: pulumi.Output<string | undefined>;
  /** Agent that a retried job gets; when it is not managed, as of the last read. */
  declare readonly retryAgentAffinity: pulumi.Output<"prefer-warmest" | "prefer-different" | undefined>;
  /** Agents that Buildkite runs, as of the last read; undefined for a queue of agents of your own. */
  declare readonly hostedAgents: pulumi.Output<pulumi.Unwrap<HostedAgents> | undefined>;
  /** True if Buildkite runs the agents. The provider refuses to replace such a queue, unless `hostedAgents` is given. */
  declare readonly hosted: pulumi.Output<boolean>;
  /** Slug of the organization the queue is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for the service's GraphQL interface. */
  declare readonly graphqlId: pulumi.Output<string>;
  /** Canonical API URL. */
  declare readonly url: pulumi.Output<string>;
  /** Address in the web interface. */
  declare readonly webUrl: pulumi.Output<string>;
  /** API URL of the cluster. */
  declare readonly clusterUrl: pulumi.Output<string>;
  /** When it was paused, ISO 8601 in UTC; undefined when it is not. */
  declare readonly dispatchPausedAt: pulumi.Output<string | undefined>;
  /** User who paused it; undefined when it is not paused. */
  declare readonly dispatchPausedBy: pulumi.Output<EmbeddedUser | undefined>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing queue without managing it. A missing one is an error.
   * @example Queue.get("default", queueUuid, { clusterId: clusterUuid })
   */
  static readonly get: GetIn<QueueArgs, Queue, "clusterId"> = get;

  constructor(name: string, args: QueueArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

/** Pauses or resumes. A queue that is already as wanted is a success. */
async function setPaused(
  context: Context,
  { parent, id }: Address,
  { dispatchPaused, dispatchPausedNote }: Partial<Plain<QueueArgs>>,
): Promise<api.Queue> {
  const { queues } = context.client;
  try {
    if (!dispatchPaused) return await queues.resumeDispatch(parent, id);
    return await queues.pauseDispatch(parent, id, dispatchPausedNote ? { note: dispatchPausedNote } : {});
  } catch (error) {
    if (context.status(error) !== 422) throw error;
    const queue = await queues.get(parent, id);
    if (queue.dispatch_paused !== dispatchPaused) throw error;
    return queue;
  }
}
