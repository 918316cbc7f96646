import type * as pulumi from "@pulumi/pulumi";
import { ComponentResource } from "@pulumi/pulumi/resource.js";
import { counted } from "../../shared/messages/nouns.js";
import { UNKNOWN } from "../../shared/protocol/encoded-values.js";
import { sdk } from "../../shared/protocol/sdk.js";
import { kindOfType, kindOfUrn, ROTATING_AGENT_TOKEN, typeToken } from "../../shared/protocol/type-token.js";
import { runError } from "../program/deployment.js";
import { instancesOf, type RotatedOptions } from "../program/registration.js";
import { valueIn } from "../program/settled.js";
import { unknownOutput } from "../program/validation.js";
import { AgentToken, type AgentTokenArgs } from "./agent-token.js";

/** Arguments of a {@link RotatingAgentToken}. */
export interface RotatingAgentTokenArgs
  extends Pick<AgentTokenArgs, "clusterId" | "description" | "allowedIpAddresses"> {
  /**
   * Generation of the newest token: a whole number from 1, usually from the stack's configuration. Raising it by one
   * creates a new token and revokes the one before the last. Leaving out a generation also revokes the token in use, and
   * going back is an error.
   */
  generation: number;
  /**
   * The `triggers` of the first generation's token, where it was an {@link AgentToken} with `triggers` before. Keep them
   * until generation 3 replaces that token. Default: none.
   */
  initialTriggers?: AgentTokenArgs["triggers"];
  /**
   * Days from its creation until the token of a generation expires. A whole number from 1. Changing it applies from the
   * next generation on. Give more days than two rotations take, because a secret stays in use until its successor's turn
   * has passed. Default: none, so that no token expires.
   */
  expiresIn?: pulumi.Input<number | undefined>;
}

/**
 * An agent token that is rotated without downtime. It consists of up to two {@link AgentToken}s. Generation n replaces
 * the token of generation n - 2, so a secret stays valid for one generation after a new one has taken its place.
 *
 * From generation 2 on, the descriptions of the tokens end with their generation: "agents #2".
 *
 * The option `aliases` may name an `AgentToken` that the program declared before: it becomes the first generation's token
 * without a change. A name that ends with `-even` is that of the token in the second slot.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { Cluster, RotatingAgentToken } from "pulumi-buildpipeline";
 *
 * const linux = new Cluster("linux", { name: "Linux" });
 * const farm = new RotatingAgentToken("farm", {
 *   clusterId: linux,
 *   description: "Agents",
 *   generation: new pulumi.Config().requireNumber("tokenGeneration"),
 * });
 * export const agentToken = farm.token;
 * ```
 */
export class RotatingAgentToken extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = ROTATING_AGENT_TOKEN;
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<RotatingAgentToken>(ROTATING_AGENT_TOKEN);
  /** @internal */
  static readonly Token: new (name: string, args: AgentTokenArgs, opts: RotatedOptions) => AgentToken =
    AgentToken;

  /** Secret of the newest token, encrypted in state; undefined as long as that token is an imported one. */
  readonly token: pulumi.Output<string | undefined>;
  /** Secret of the generation before, which is still valid; undefined in generation 1, or when it was imported. */
  readonly previousToken: pulumi.Output<string | undefined>;
  /** Id of the newest token. */
  readonly tokenId: pulumi.Output<string>;
  /** Id of the token of the generation before; undefined in generation 1. */
  readonly previousTokenId: pulumi.Output<string | undefined>;
  /** Generation of the newest token. */
  readonly generation: pulumi.Output<number>;
  /** When the newest token expires, ISO 8601; undefined if it doesn't. */
  readonly expiresAt: pulumi.Output<string | undefined>;
  /** When the token of the generation before expires, ISO 8601; undefined if it doesn't, or in generation 1. */
  readonly previousExpiresAt: pulumi.Output<string | undefined>;

  constructor(name: string, args: RotatingAgentTokenArgs, opts: pulumi.ComponentResourceOptions = {}) {
    // Programs without types can omit the arguments. The plugin may know the generation after a preview only.
    const isKnown: boolean = args?.generation !== (UNKNOWN as unknown);
    if (isKnown) requireGeneration(name, args?.generation);
    const { Token } = new.target;
    const aliases = opts.aliases ?? [];
    super(ROTATING_AGENT_TOKEN, name, {}, { ...opts, aliases: aliases.filter((one) => !isOfToken(one)) });

    const { clusterId, description, allowedIpAddresses, expiresIn, generation, initialTriggers } = args;
    const tokenOf = (slot: "odd" | "even", own: number | undefined, previous?: AgentToken): AgentToken =>
      new Token(
        `${name}-${slot}`,
        {
          clusterId,
          description: own === 1 ? description : numbered(description, own),
          allowedIpAddresses,
          ...(expiresIn !== undefined && { expiresIn }),
          triggers: own === 1 ? initialTriggers : own === undefined ? unknownOutput() : { generation: own },
        },
        {
          parent: this,
          ...(opts.version && { version: opts.version }),
          aliases: aliases
            .filter((alias) => slotOfAlias(alias) === slot)
            .flatMap((alias) => aliasesOfToken(alias, name, opts)),
          ...(own && {
            rotation: { of: name, generation, ...(previous && { previous: sdk().output(idOf(previous)) }) },
          }),
        },
      );
    const { output, log } = sdk();
    if (!isKnown) {
      // Both slots, so that a preview shows none of them as deleted.
      for (const slot of ["odd", "even"] as const) tokenOf(slot, undefined);
      this.token =
        this.previousToken =
        this.tokenId =
        this.previousTokenId =
        this.generation =
        this.expiresAt =
        this.previousExpiresAt =
          unknownOutput();
      void log.warn(
        `RotatingAgentToken ${JSON.stringify(name)}: generation is not known yet, so this preview shows both tokens as ` +
          "changed. A deployment replaces only what the generation asks for.",
      );
      this.registerOutputs();
      return;
    }
    for (const option of ["protect", "retainOnDelete"] as const)
      if (opts[option] && generation > 1)
        void log.warn(`RotatingAgentToken ${JSON.stringify(name)}: ${option} ${REACHES_TOKENS[option]}`);
    const slotOf = (own: number) => (own % 2 === 1 ? "odd" : "even");
    const previous = generation === 1 ? undefined : tokenOf(slotOf(generation - 1), generation - 1);
    const newest = tokenOf(slotOf(generation), generation, previous);

    this.token = newest.token;
    this.previousToken = previous?.token ?? output(undefined);
    this.tokenId = newest.id;
    this.previousTokenId = previous?.id ?? output(undefined);
    this.generation = output(generation);
    this.expiresAt = newest.expiresAt;
    this.previousExpiresAt = previous?.expiresAt ?? output(undefined);
    // In a preview, an apply runs only for a time that is known, and the time of an existing token is.
    output([previous?.createdAt, expiresIn]).apply(([since, days]) => {
      const warning = tooSoon(since, days);
      if (warning !== undefined) void log.warn(`RotatingAgentToken ${JSON.stringify(name)}: ${warning}`);
    });
    // The secrets stay in one place of the state: with the tokens.
    this.registerOutputs({ tokenId: this.tokenId, previousTokenId: this.previousTokenId, generation });
  }
}

/** Pulumi gives these options to the tokens as well. Without its own protection, a token is deleted before the component is refused. */
const REACHES_TOKENS = {
  protect:
    "makes Pulumi refuse to replace a token, and with it generation 3 and later ones. To rotate, first deploy without it.",
  retainOnDelete:
    "keeps each token that a rotation replaces, so that its secret stays valid. Remove it, or delete such tokens yourself.",
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** A token of the generation before is still in use, so an expiry that is shorter than its age would have ended it. */
function tooSoon(since: unknown, days: unknown): string | undefined {
  const age = typeof since === "string" ? (Date.now() - Date.parse(since)) / DAY_MS : Number.NaN;
  if (typeof days !== "number" || !(age > days)) return undefined;
  return (
    `expiresIn is ${days}, and the token of the generation before is in use for ${counted(Math.floor(age), "day")} already. At this pace, ` +
    "a token expires before its successor's turn. Give more days, or rotate more often."
  );
}

function requireGeneration(name: string, generation: unknown): void {
  if (typeof generation === "number" && Number.isSafeInteger(generation) && generation >= 1) return;
  const given = typeof generation === "string" ? JSON.stringify(generation) : String(generation);
  throw runError(
    `"${name}": RotatingAgentToken.generation: ${given} is not a whole number from 1. Give a plain number, such as ` +
      'new pulumi.Config().requireNumber("tokenGeneration").',
  );
}

/**
 * Waits for the id of the token before, so that the newest is created after it. A dependency would turn round with each
 * generation: where `--target` names another resource, the engine then registers one of them twice, which it refuses.
 */
async function idOf({ id }: AgentToken): Promise<pulumi.Input<string>> {
  return (await valueIn(id))?.value ?? unknownOutput();
}

/** Returns a description with a generation. A blank one stays blank, so that the token refuses it. */
function numbered(description: pulumi.Input<string>, generation: number | undefined): pulumi.Input<string> {
  if (generation === undefined) return unknownOutput();
  const add = (text: string) =>
    typeof text === "string" && text.trim() !== "" ? `${text} #${generation}` : text;
  return typeof description === "string" ? add(description) : sdk().output(description).apply(add);
}

type Alias = pulumi.Input<string | pulumi.Alias>;

/** Checks whether an alias says that it is the one of an agent token, not of the component. */
function isOfToken(alias: Alias): boolean {
  if (typeof alias === "string") return kindOfUrn(alias) === AgentToken.kind.name;
  const type = typeof alias === "object" && "type" in alias ? alias.type : undefined;
  return typeof type === "string" && kindOfType(type) === AgentToken.kind.name;
}

/** Returns the slot whose token an alias names: a program may have declared both tokens by the names of the slots. */
function slotOfAlias(alias: Alias): "odd" | "even" {
  const name = typeof alias === "string" ? alias : Reflect.get(alias, "name");
  return typeof name === "string" && name.endsWith("-even") ? "even" : "odd";
}

/** Returns the aliases of a token for one of the component: without a type, both may have had that name. */
function aliasesOfToken(
  alias: Alias,
  component: string,
  { parent = sdk().rootStackResource }: pulumi.ComponentResourceOptions,
): Alias[] {
  if (typeof alias === "string") return isOfToken(alias) ? [alias] : [];
  if (sdk().Output.isInstance(alias) || alias instanceof Promise) return [];
  if (alias.type !== undefined) return isOfToken(alias) ? [{ parent, name: component, ...alias }] : [];
  const types = [typeToken("AgentToken"), typeToken("AgentToken", "plugin")];
  return types.map((type) => ({ parent, name: component, ...alias, type }));
}
