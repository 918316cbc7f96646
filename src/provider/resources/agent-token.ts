import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { withCode } from "../../shared/protocol/message-codes.js";
import { inParent } from "../kind/behavior.js";
import { canonicalNetworks, decodeNetworks, isSameInstant, problemOfIpv4Network } from "../kind/canonical.js";
import { clusterId, inCluster, property, requiredText } from "../kind/fields.js";
import type { EmbeddedUser, Kind } from "../kind/kind.js";
import {
  directionOfLimits,
  directionOfNetworks,
  nothing,
  opens,
  opensInside,
  replaced,
  slows,
  stops,
  when,
} from "../kind/review.js";
import { integer, list, map, text } from "../kind/shape.js";
import { type GetIn, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Cluster } from "./cluster.js";

/** Arguments of an {@link AgentToken}. */
export interface AgentTokenArgs {
  /**
   * Cluster the token connects agents to: a {@link Cluster} or the UUID of one. Required. Changing it replaces
   * the token: Pulumi creates the new one before it revokes the old one.
   */
  clusterId: pulumi.Input<string> | Cluster;
  /**
   * Purpose of the token. Required, not blank. Changing it updates in place, and the secret stays.
   * @example "agents of the build farm"
   */
  description: pulumi.Input<string>;
  /**
   * IPv4 networks, in CIDR notation, from which agents may use the token; a bare address is one address. At most
   * 24. An address with a leading zero is an error, because programs read it differently. Default: none, which allows
   * every address. Changing it updates in place; leaving it out clears it.
   * @example ["10.20.0.0/16", "192.0.2.7"]
   */
  allowedIpAddresses?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Any map of text, numbers, booleans, lists and maps. Changing it rotates the token: Pulumi creates a new one, then revokes the old one. Agents that are connected
   * stay connected, but agents that start or reconnect need the new secret. The new one never expires, even if the old one
   * did. Default: none.
   * @example { rotated: "2026-11" }
   */
  triggers?: pulumi.Input<{ [key: string]: unknown } | undefined>;
  /**
   * When the token expires, ISO 8601, at least ten minutes ahead. Connected agents stay connected, and none can start or
   * reconnect from then on. The API can't change it, so changing it rotates the token, and so does adding it, unless the
   * token ends at that moment already; removing it changes nothing. Default: none, so that the token doesn't expire.
   * @example "2027-03-31T12:00:00Z"
   */
  expiresAt?: pulumi.Input<string | undefined>;
  /**
   * Days from its creation until the token expires, in place of `expiresAt`. A whole number from 1. Changing it counts from
   * the next creation on, so it changes no token. Default: none.
   * @example 90
   */
  expiresIn?: pulumi.Input<number | undefined>;
}

const ONLY_OWN = { todo: "Make sure that only your agents have these addresses." };

/**
 * An agent token: the credential that connects agents to a cluster. Needs the scopes `read_clusters` and
 * `write_clusters`. A {@link RotatingAgentToken} rotates without an outage.
 *
 * The API returns the secret once, when it creates the token. State keeps it, encrypted, as the output `token`.
 * Deleting the resource revokes the token: connected agents stay connected, and no agent can start or reconnect with
 * it.
 *
 * `{ import: "<cluster uuid|name>/<token uuid|description>" }` imports an existing token; its secret stays unknown.
 *
 * @example
 * ```ts
 * const token = new AgentToken("farm", {
 *   clusterId: linux,
 *   description: "agents of the build farm",
 *   allowedIpAddresses: ["10.20.0.0/16"],
 *   triggers: { rotated: "2026-11" },
 * });
 * export const secret = token.token;
 * ```
 */
export class AgentToken extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:AgentToken";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<AgentToken>(AgentToken.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "AgentToken",
    words: { noun: "agent token", short: "token", label: "description" },
    section: "agentTokens",
    scopes: { read: [["read_clusters"]], write: [["write_clusters"]] },
    parent: inCluster,
    arguments: {
      clusterId,
      description: { ...requiredText, review: nothing, ...property("description") },
      allowedIpAddresses: {
        shape: list(text(problemOfIpv4Network), 24),
        expected: 'a list of IPv4 networks such as ["10.20.0.0/16", "192.0.2.7"]',
        review: when(
          {
            cleared: opens(
              "{allows|allow} every address, and no longer only {before}: whoever knows {its secret|a secret} can connect from anywhere",
              { todo: "Keep the addresses, or name those that the agents need." },
            ),
            more: opens("{allows|allow} more addresses: {after} instead of {before}", ONLY_OWN),
            changed: opens("{allows|allow} other addresses: {after} instead of {before}", {
              ...ONLY_OWN,
              now: "restrict",
            }),
            less: slows("{allows|allow} fewer addresses: {after} instead of {before}", { now: "restrict" }),
          },
          { compare: directionOfNetworks, none: "every address" },
        ),
        whenOmitted: "cleared",
        ...property("allowed_ip_addresses"),
        encode: (networks) => networks.join(" "),
        decode: decodeNetworks,
        canonical: canonicalNetworks,
      },
      triggers: {
        shape: map,
        expected: 'a map such as { rotated: "2026-11" }',
        review: replaced,
        whenOmitted: "ignored",
        replaces: true,
      },
      expiresAt: {
        shape: text((time) =>
          ISO_TIME.test(time) && !Number.isNaN(Date.parse(time)) ? undefined : "is not a time",
        ),
        expected: 'a time in ISO 8601 with its zone such as "2027-03-31T12:00:00Z"',
        review: when(
          {
            more: opensInside("{is|are} valid longer: until {after} instead of {before}"),
            less: slows("{expires|expire} sooner: {after} instead of {before}"),
          },
          { compare: directionOfLimits, none: "for ever" },
        ),
        whenOmitted: "unmanaged",
        unless: {
          argument: "expiresIn",
          words: "can't be given with expiresIn: give the time, or the days until then.",
        },
        mayBeLeftOut: "anywhere",
        ...property("expires_at"),
        creationOnly: true,
        lostWhenReplaced: {
          is: (time) => `expires at ${time}`,
          becomes: "never expires",
          unless: ["expiresAt", "expiresIn"],
        },
        equal: isSameInstant,
        replaces: "sometimes",
        replacesFor: (next, known) => next !== undefined && !isSameInstant(next, known.expiresAt),
      },
      expiresIn: {
        shape: integer(1),
        expected: "a whole number of days from 1",
        review: nothing,
        whenOmitted: "ignored",
        sentAs: "expires_in",
        creationOnly: true,
        shownBy: (known) => {
          if (!("expiresAt" in known)) return undefined;
          const lives = Number(instantOf(known.expiresAt)) - Number(instantOf(known.createdAt));
          return Number.isNaN(lives) ? null : Math.round(lives / DAY_MS);
        },
        // It counts from the next creation on.
        canonical: () => undefined,
        replaces: "sometimes",
      },
    },
    rules: [
      {
        arguments: ["expiresAt"],
        broken: ({ expiresAt }, planned) =>
          planned?.isCreation && Number(instantOf(expiresAt)) < planned.now + SOONEST_MS
            ? `is less than ten minutes ahead of ${new Date(planned.now).toISOString()}, and the API refuses that. Give a ` +
              "later time, or expiresIn."
            : undefined,
      },
      {
        isDoubt: true,
        arguments: ["expiresAt"],
        broken: ({ expiresAt }, planned) => (planned?.isNew ? endingSoon(expiresAt, planned.now) : undefined),
      },
    ],
    ending: ({ expiresAt }, { expiresIn, triggers }, now, generation) => {
      const isRotated = generation !== undefined;
      // The one before is there for agents that don't have the newest yet.
      if (isRotated && generation !== (Object(triggers).generation ?? 1)) return undefined;
      const words = endingSoon(expiresAt, now, expiresIn, isRotated ? Number.POSITIVE_INFINITY : SOON_MS);
      const advice = isRotated ? " Raise `generation`, and give agents the new token before." : "";
      return words && `its expiry ${words}${advice}`;
    },
    review: {
      usedBy: "agents",
      deleted: [
        stops("{is|are} revoked", {
          rest: "Connected agents stay connected; no agent can start or reconnect with {it|them}.",
          todo: "Give these agents another token first.",
        }),
      ],
      replaced: [
        {
          changing: ["clusterId"],
          ...stops("{is|are} replaced, and {its secret changes|their secrets change}", {
            rest: "{Its|Their} agents stay behind: only agents that start with the new {one|ones} take jobs in {newPlace}.",
            todo: "Plan how the new {secret gets|secrets get} to the agents, and when these start again with {it|them}.",
          }),
        },
        stops("{is|are} replaced, and {its secret changes|their secrets change}", {
          rest: "Connected agents stay connected; agents that start or reconnect need the new {one|ones}.",
          todo: "Plan how the new {secret gets|secrets get} to the agents before they reconnect.",
        }),
      ],
      vanished: {
        lost: "Connected agents stay connected; no agent can start or reconnect with it.",
        remains: "A new token has another secret, and agents need it before they start or reconnect.",
      },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      url: { returnedAs: "url" },
      clusterUrl: { returnedAs: "cluster_url" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
      token: { returnedAs: "token", secret: "once" },
    },
    identify: (token) => token.id,
    importing: {
      form: "<token uuid|description>",
      names: (token) => [token.description],
      judged: () => ({
        warnings: [
          "the API returns a token's secret only once, so the output `token` is undefined. To have a secret in state, " +
            "declare another token or a RotatingAgentToken; or remove the import option, deploy, then change `triggers`, " +
            "which revokes this one. A new token never expires, even if this one does, unless you give `expiresAt` or " +
            "`expiresIn`.",
        ],
      }),
      remarks: [
        {
          words:
            "The secrets of {objects} cannot be read back: agents keep theirs, and the output `token` is undefined. " +
            "To have a secret in state, declare another token, give its secret to the agents, then remove the old one. " +
            "`triggers` does both in one deployment: until agents have the new secret, none can start or reconnect.",
        },
      ],
    },
    behavior: {
      ...inParent((client) => client.agentTokens),
      create: async ({ client, now, status, warn }, { parent }, { expires_in: days, ...body }, options) => {
        const here = now();
        const { isTold } = client.serviceClock;
        // How far the service's clock is ahead of this machine's, as far as responses have told it.
        const ahead = client.serviceClock.at(0);
        const at = days === undefined ? body.expires_at : iso(here + days * DAY_MS);
        const by = isTold
          ? `the \`Date\` of responses showed ${iso(here)}, this machine's clock ${iso(here - ahead)}`
          : `this machine's clock showed ${iso(here)}`;
        // Error clock-wrong: The provider counted `expiresIn` by a clock that isn't the API's: this machine's, because no
        // response had told the API's time, or that of a gateway. The API refused the expiry, or the token has another life.
        // Fix: Set the clock of the machine or of the gateway. Then replace a token that expires too early or too late.
        const saying = (theirs: string) =>
          withCode(`The token was to expire at ${at}: ${by}, and ${theirs}.`, "clock-wrong");
        try {
          const token = await client.agentTokens.create(
            parent,
            { ...body, ...(at && { expires_at: at }) },
            options,
          );
          const madeAt = Number(instantOf(token.created_at));
          if (days !== undefined && (madeAt < here - SOONEST_MS || madeAt > now() + SOONEST_MS))
            warn(
              `AgentToken.expiresIn: counts from another time. ${saying(`the API made it at ${token.created_at}. Set the clock that is wrong, then replace the token`)}`,
            );
          return token;
        } catch (error) {
          const isDoubtful = !isTold || (days !== undefined && Math.abs(ahead) > SOONEST_MS);
          if (at !== undefined && isDoubtful && error instanceof Error && status(error) === 422) {
            const isToldNow = !isTold && client.serviceClock.isTold;
            const theirs = isToldNow
              ? `the API's ${iso(now())}`
              : isTold
                ? "the API refused that"
                : "no response told the API's";
            error.message = `${error.message} ${saying(theirs)}`;
          }
          throw error;
        }
      },
    },
  } satisfies Kind<AgentTokenArgs, AgentToken, AnyAgentToken, TokenCreate, api.AgentTokenUpdate>;

  /** UUID of the cluster the token connects agents to. */
  declare readonly clusterId: pulumi.Output<string>;
  /** Purpose of the token. */
  declare readonly description: pulumi.Output<string>;
  /** Networks from which agents may use the token; undefined when every address may. */
  declare readonly allowedIpAddresses: pulumi.Output<string[] | undefined>;
  /** Values that rotate the token when they change. */
  declare readonly triggers: pulumi.Output<{ [key: string]: unknown } | undefined>;
  /** Slug of the organization the token is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for the service's GraphQL interface. */
  declare readonly graphqlId: pulumi.Output<string>;
  /** Canonical API URL. */
  declare readonly url: pulumi.Output<string>;
  /** API URL of the cluster. */
  declare readonly clusterUrl: pulumi.Output<string>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;
  /** When it expires, ISO 8601; undefined if it doesn't, or if the API doesn't return it. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** Days from its creation until it expires, as the program says. */
  declare readonly expiresIn: pulumi.Output<number | undefined>;
  /** The secret, encrypted in state; undefined when the token was imported or only read. */
  declare readonly token: pulumi.Output<string | undefined>;

  /**
   * Reads an existing token, without its secret, and without managing it. A missing one is an error.
   * @example AgentToken.get("farm", tokenUuid, { clusterId: clusterUuid })
   */
  static readonly get: GetIn<AgentTokenArgs, AgentToken, "clusterId"> = get;

  constructor(name: string, args: AgentTokenArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
const SOONEST_MS = 10 * 60 * 1000;
const SOON_MS = 14 * DAY_MS;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d:?\d\d)$/;

const iso = (time: number) => new Date(time).toISOString();

/** Two texts may name one instant. */
function instantOf(time: unknown): number | undefined {
  return typeof time === "string" ? Date.parse(time) : undefined;
}

/** Says that a token has expired or soon will, but not before the last quarter of the days that it lives. */
function endingSoon(
  expiresAt: unknown,
  now: number,
  days = Number.POSITIVE_INFINITY,
  soon = SOON_MS,
): string | undefined {
  const at = Number(instantOf(expiresAt));
  if (at <= now) return `is ${expiresAt} and has expired: no agent can start or reconnect with the token.`;
  if (!(at < now + Math.min(soon, (days * DAY_MS) / 4))) return undefined;
  const ahead = Math.ceil((at - now) / DAY_MS);
  return `is ${expiresAt}, at most ${Math.max(ahead, 14)} days ahead: from then on, no agent can start or reconnect with the token.`;
}

/** A new token, and the days until it expires in place of the time. */
type TokenCreate = api.AgentTokenCreate & { readonly expires_in?: number };

/** A token in any response. Only the response to its creation has the secret. */
type AnyAgentToken = api.AgentToken & Partial<Pick<api.CreatedAgentToken, "token">>;
