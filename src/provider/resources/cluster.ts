import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { quoted } from "../../shared/messages/quoted.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import { withCode } from "../../shared/protocol/message-codes.js";
import { type Address, type Context, inOrganization } from "../kind/behavior.js";
import { boolean, color, description, distinctName, emoji, property, requiredText } from "../kind/fields.js";
import type { EmbeddedUser, Kind } from "../kind/kind.js";
import { archivedBy } from "../kind/pipelines.js";
import { loses, nothing, notices, when } from "../kind/review.js";
import { type Get, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";

/** Arguments of a {@link Cluster}. */
export interface ClusterArgs {
  /**
   * Name of the cluster, shown wherever the cluster is. Required, not blank.
   * Changing it updates in place.
   * @example "Linux"
   */
  name: pulumi.Input<string>;
  /**
   * Purpose of the cluster. Default: none. Changing it updates in place; leaving it out clears it.
   * @example "Machines in eu-west-1"
   */
  description?: pulumi.Input<string | undefined>;
  /**
   * Emoji next to the name: in emoji syntax (`:name:`), or one emoji character. Default: none. Changing it updates in
   * place; leaving it out clears it.
   * @example ":penguin:"
   */
  emoji?: pulumi.Input<string | undefined>;
  /**
   * Background color of the emoji: `#rrggbb` or `#rgb`. Compared without case. Default: none. Changing it updates in
   * place; leaving it out clears it.
   * @example "#14cc80"
   */
  color?: pulumi.Input<string | undefined>;
  /**
   * Allows the deletion of a cluster that still contains queues or agent tokens, which the API deletes with it. Without
   * it, the provider refuses the deletion and names the objects that this run did not delete: those of other stacks and
   * people, and those with the options `import`, `deletedWith` or `retainOnDelete`. Not sent to the API. Changing it
   * updates the state only, so run `pulumi up` before the deletion. `adopt` never writes it. Default: `false`.
   * @example true
   */
  forceDestroy?: pulumi.Input<boolean | undefined>;
}

/**
 * A cluster: an isolated set of agents and pipelines in the organization. Needs the scopes `read_clusters` and
 * `write_clusters`. Queues and agent tokens belong to a cluster; a {@link ClusterDefaultQueue}
 * sets the default queue.
 *
 * Deleting a cluster deletes everything in it. While it contains queues or tokens that this stack doesn't own, the
 * provider therefore refuses the deletion, unless `forceDestroy` is true.
 *
 * `{ import: "<uuid|name>" }` imports an existing cluster.
 *
 * @example
 * ```ts
 * const linux = new Cluster("linux", { name: "Linux", emoji: ":penguin:", color: "#14cc80" });
 * const fast = new Queue("fast", { clusterId: linux, key: "fast" });
 * ```
 */
export class Cluster extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:Cluster";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<Cluster>(Cluster.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "Cluster",
    words: { noun: "cluster", label: "name" },
    drawn: { as: "color", argument: "color" },
    section: "clusters",
    scopes: { read: [["read_clusters"]], write: [["write_clusters"]] },
    arguments: {
      name: { ...requiredText, review: nothing, ...property("name") },
      description,
      emoji: { ...emoji, ...property("emoji") },
      color: { ...color, ...property("color") },
      forceDestroy: {
        ...boolean,
        review: when({
          true: notices(
            "would be deleted with everything in {it|them}, also what this stack doesn't manage, if the program drops {it|them}",
          ),
        }),
        whenOmitted: "ignored",
        canonical: (force) => force === true,
        providerOnly: "to delete contents",
      },
    },
    review: {
      usedBy: "jobs",
      deleted: [
        {
          if: { forceDestroy: true },
          ...loses("{is|are} deleted with {contents}", {
            rest: "Anything else in {it|them} is deleted as well, because forceDestroy is set. Only an archived pipeline, which no list shows, would stop the deployment halfway.",
            unread: "Look for jobs that wait for {its|their} queues.",
          }),
        },
        loses("{is|are} deleted with {contents}", {
          rest: "Anything else in {it|them} stops the deployment halfway, because forceDestroy isn't set. So does an archived pipeline, which no list shows.",
          unread: "Look for jobs that wait for {its|their} queues.",
        }),
      ],
      replaced: [
        loses("{is|are} replaced with {contents}", {
          unread: "Look for jobs that wait for {its|their} queues.",
        }),
      ],
      vanished: {
        lost: "Its agents can't reconnect, and jobs for its queues wait.",
        remains:
          "A new cluster, its queues and its tokens have other ids, and its tokens other secrets: agents, pipelines and " +
          "other stacks need them.",
      },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      defaultQueueId: { returnedAs: "default_queue_id" },
      defaultQueueUrl: { returnedAs: "default_queue_url" },
      url: { returnedAs: "url" },
      webUrl: { returnedAs: "web_url" },
      queuesUrl: { returnedAs: "queues_url" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    identify: (cluster) => cluster.id,
    once: distinctName,
    importing: { form: "<cluster uuid|name>", names: (cluster) => [cluster.name] },
    behavior: {
      ...inOrganization((client) => client.clusters),
      delete: deleteCluster,
      keptBy: async (context, id) => [
        ...((await isDefault(context, id)) ? ["the role of PipelineSettings.defaultClusterId"] : []),
        ...(await pipelinesIn(context, id)).map((named) => `the pipeline ${named}`),
      ],
    },
  } satisfies Kind<ClusterArgs, Cluster, api.Cluster, api.ClusterCreate, api.ClusterUpdate>;

  /** Name of the cluster. */
  declare readonly name: pulumi.Output<string>;
  /** Purpose of the cluster. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Emoji in emoji syntax, or one emoji character. */
  declare readonly emoji: pulumi.Output<string | undefined>;
  /** Hex color code. */
  declare readonly color: pulumi.Output<string | undefined>;
  /** True if the cluster may be deleted with queues and tokens of others in it. */
  declare readonly forceDestroy: pulumi.Output<boolean | undefined>;
  /** Slug of the organization the cluster is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for the service's GraphQL interface. */
  declare readonly graphqlId: pulumi.Output<string>;
  /**
   * UUID of the default queue as of the last read; undefined when there is none. It is set after the cluster, by
   * a {@link ClusterDefaultQueue}, so use that resource's `queueId` to depend on it.
   */
  declare readonly defaultQueueId: pulumi.Output<string | undefined>;
  /** API URL of the default queue as of the last read; undefined when there is none. */
  declare readonly defaultQueueUrl: pulumi.Output<string | undefined>;
  /** Canonical API URL. */
  declare readonly url: pulumi.Output<string>;
  /** Address in the web interface. */
  declare readonly webUrl: pulumi.Output<string>;
  /** API URL of the cluster's queues. */
  declare readonly queuesUrl: pulumi.Output<string>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing cluster without managing it. A missing one is an error.
   * @example Cluster.get("shared", "0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b10")
   */
  static readonly get: Get<ClusterArgs, Cluster> = get;

  constructor(name: string, args: ClusterArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

/**
 * Deletes a cluster. The API may refuse one with pipelines, and doesn't say which, nor whether archived ones count. It refuses
 * the organization's default cluster.
 */
async function deleteCluster(context: Context, { id }: Address): Promise<void> {
  const { client, status } = context;
  try {
    await client.clusters.delete(id);
  } catch (error) {
    if (status(error) !== 422) throw error;
    const said = error instanceof Error && "serviceMessage" in error ? `: ${error.serviceMessage}` : "";
    const refused = `Cluster: the cluster ${id} was not deleted${said}.`;
    if (await isDefault(context, id))
      throw new Error(
        withCode(
          // Error cluster-is-default: The API refuses to delete the organization's default cluster, in which pipelines without
          // a cluster are created.
          // Fix: Give the PipelineSettings another `defaultClusterId`, or `""`, in the stack that manages it or in the web
          // interface.
          `${refused} It is the organization's default cluster. Set another PipelineSettings.defaultClusterId ("" for none), in ` +
            "the stack that manages it or in the web interface, and then repeat the deletion.",
          "cluster-is-default",
        ),
        { cause: error },
      );
    const inside = await pipelinesIn(context, id).catch(() => []);
    const found =
      inside.length === 0
        ? `${messageOf(error)} Pipelines in the cluster may prevent its deletion, and so may archived ones that no list shows.`
        : // Error cluster-has-pipelines: The API refuses to delete a cluster with pipelines, and archived pipelines may
          // count.
          // Fix: Delete the archived ones in the web interface. Move the others out of the cluster, or delete them with
          // `onDelete` set to `delete`.
          `${refused} These pipelines are in it: ${inside.join("; ")}.`;
    const text =
      `${found} Delete each archived one in the web interface, or import it with { archived: true, onDelete: "delete" }, deploy, ` +
      'remove its option import, deploy again, and destroy it. Move each other one out of the cluster ({ clusterId: "" }), or delete it ({ onDelete: "delete" }). Then ' +
      "repeat the deletion. If deleteBeforeReplace replaces the cluster, remove that option instead: then the new cluster is created first.";
    throw new Error(withCode(text, "cluster-has-pipelines"), { cause: error });
  }
}

/** Who may not read the settings doesn't know it, and neither does a service without them. */
async function isDefault({ client }: Context, id: string): Promise<boolean> {
  const { default_cluster_id: usual } = await client.pipelineSettings
    .get()
    .catch(() => ({ default_cluster_id: null }));
  return isSameObject(usual, id);
}

const MOST_NAMED = 10;

/** Names the pipelines of a cluster that a list shows, and those that this process has archived. */
async function pipelinesIn(context: Context, clusterId: string): Promise<string[]> {
  const all = [...archivedBy(context.client), ...(await context.client.pipelines.list().all())];
  const inside = all.filter((pipeline) => isSameObject(pipeline.cluster_id, clusterId));
  const once = [...new Map(inside.map((pipeline) => [pipeline.id, pipeline])).values()];
  const more = once.length - MOST_NAMED;
  const named = once.slice(0, MOST_NAMED).map((pipeline) => inWords(context, pipeline));
  return more > 0 ? [...named, `${more} more`] : named;
}

function inWords({ done }: Context, { id, slug, archived_at, web_url }: api.Pipeline): string {
  const name = done("Pipeline", id).hasSecretName ? id : `${quoted(slug)} (${id}), ${web_url}`;
  return archived_at == null ? name : `${name}, archived`;
}
