import { isDeepStrictEqual } from "node:util";
import type { ApiSettings, ApiSettingsUpdate, BuildPipelineClient } from "../../client/index.js";
import { counted } from "../../shared/messages/nouns.js";
import { quoted } from "../../shared/messages/quoted.js";
import { reveal } from "../../shared/protocol/encoded-values.js";
import { canonicalNetworks, decodeNetworks, isInNetwork, parseNetwork } from "./canonical.js";
import { camelCase, withKeys } from "./provider-settings.js";
import type { Arguments, Known } from "./value-roles.js";

/** What keeps a change of the organization's API settings from locking out whoever makes it. */

interface Stated {
  readonly allowedIpAddresses: readonly string[];
  readonly reachableFrom: string;
  readonly revokeInactiveTokensAfterDays: number;
}

/** Stands before `reachableFrom` in state once somebody else changed the list for which it was stated. */
const ELSEWHERE = "changed elsewhere, before: ";

const UNKNOWN_ADDRESS = "unknown";

export type ShownApiSettings = ReturnType<typeof shownSettings> & { readonly reachable_from?: string };

/** Returns settings as programs spell what the plan has. */
export function shownSettings(settings: ApiSettings) {
  return { ...settings, features: withKeys<unknown>({ ...settings.features }, camelCase) };
}

function isSameList(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(canonicalNetworks(decodeNetworks(a)), canonicalNetworks(decodeNetworks(b)));
}

/**
 * Adds to the settings whether `reachableFrom` is about a list that somebody has changed since. A program that states the
 * list as it is takes that away, and so does sending another one.
 *
 * @param wanted what an update is to lead to. Default: what is known, as in a refresh
 */
export function withReach<Settings extends Pick<ApiSettings, "allowed_ip_addresses">>(
  settings: Settings,
  known: Known,
  wanted: Known | Arguments = known,
): Settings & { readonly reachable_from?: string } {
  const [before, from] = [known, wanted].map(({ reachableFrom }) => reveal(reachableFrom));
  if (typeof from !== "string") return settings;
  const isLive = ({ allowedIpAddresses }: Known | Arguments) =>
    isSameList(reveal(allowedIpAddresses), settings.allowed_ip_addresses);
  const isKnown = isLive(known) && !isElsewhere(before);
  const isNoticed = isElsewhere(from) || isLive(wanted) || isKnown;
  return { ...settings, reachable_from: isNoticed ? from : ELSEWHERE + from };
}

function isElsewhere(reachableFrom: unknown): boolean {
  return typeof reachableFrom === "string" && reachableFrom.startsWith(ELSEWHERE);
}

/** Returns why a list may lock out whoever sends it. */
function problemOfList(list: readonly string[], from: string | undefined): string | undefined {
  if (list.length === 0 || from === UNKNOWN_ADDRESS) return undefined;
  const risk = "The list applies immediately, also to this deployment, and only the web interface repairs it";
  if (from === undefined)
    return `allowedIpAddresses: needs reachableFrom, the address from which the organization is deployed. ${risk}. "unknown" accepts that.`;
  const own = parseNetwork(from);
  const networks = list.flatMap((text) => parseNetwork(text) ?? []);
  if (own !== undefined && networks.some((network) => isInNetwork(network, own))) return undefined;
  return `allowedIpAddresses: has no entry that contains all of reachableFrom (${from}). ${risk}. Add it to the list.`;
}

const FEATURES: Readonly<Record<string, string>> = {
  allowedIpAddresses: "apiIpAllowList",
  revokeInactiveTokensAfterDays: "inactiveApiTokenRevocation",
};

/** Returns which arguments the organization's plan lacks: the API refuses a request with one as a whole. */
function problemOfFeatures(features: unknown, names: Iterable<string>): string | undefined {
  const lacking = [...names].filter((name) => {
    const feature = FEATURES[name];
    return feature !== undefined && Reflect.get(Object(features), feature) === false;
  });
  if (lacking.length === 0) return undefined;
  return `${lacking.join(", ")}: the organization's plan doesn't have that. It needs the Enterprise plan: leave it out.`;
}

/**
 * Sends a list, unless the API has it already.
 *
 * @param shown what a preview showed as the list before
 * @throws if it may lock out whoever sends it, which a preview may not have known, or if somebody has changed the list
 */
export async function sendList(
  client: BuildPipelineClient,
  { allowedIpAddresses: list = [], reachableFrom: from }: Partial<Stated>,
  shown: unknown,
): Promise<ShownApiSettings> {
  const reach = from === undefined ? {} : { reachable_from: from };
  const live = shownSettings(await client.apiSettings.get());
  if (isSameList(list, live.allowed_ip_addresses)) return { ...live, ...reach };
  const problem = problemOfList(list, from);
  if (problem !== undefined) throw new Error(`Nothing was sent. ${problem}`);
  if (!isSameList(shown, live.allowed_ip_addresses))
    throw new Error(
      "allowedIpAddresses: was not sent, because somebody changed the list since the state was read: the API has " +
        `${quoted(decodeNetworks(live.allowed_ip_addresses) ?? [])}. Run pulumi refresh, and add to the program what is to stay.`,
    );
  return { ...(await updatedAccess(client, { allowed_ip_addresses: list.join(" ") || null })), ...reach };
}

/** Changes the settings, if the plan has what the body names. */
export async function updatedAccess(client: BuildPipelineClient, body: ApiSettingsUpdate) {
  const { features } = shownSettings(await client.apiSettings.get());
  const names = Object.keys(body).map(camelCase);
  const problem = problemOfFeatures(features, names);
  if (problem !== undefined) throw new Error(`Nothing was sent. ${problem}`);
  return shownSettings(await client.apiSettings.update(body));
}

/** Judges a change as a whole: who can use the API then. */
export function judgedAccess({
  old,
  next,
  known,
  names,
  later,
}: {
  readonly old: Partial<Stated>;
  readonly next: Partial<Stated>;
  readonly known: Known;
  readonly names: ReadonlySet<string>;
  readonly later: ReadonlySet<string>;
}) {
  const { allowedIpAddresses: list, reachableFrom: from, revokeInactiveTokensAfterDays: days } = next;
  const isListSent =
    names.has("allowedIpAddresses") &&
    list !== undefined &&
    !isSameList(list, reveal(known.allowedIpAddresses));
  const isSentBack = isListSent && from !== undefined && reveal(known.reachableFrom) === ELSEWHERE + from;
  const refusal =
    problemOfFeatures(reveal(known.features), names) ??
    (isSentBack
      ? "allowedIpAddresses: somebody changed the list, and it isn't changed back by itself. Give what the API has, or change reachableFrom to confirm that you reach the API under the program's list."
      : undefined) ??
    (isListSent && !later.has("reachableFrom") ? problemOfList(list, from) : undefined);
  const before = old.revokeInactiveTokensAfterDays || Number.POSITIVE_INFINITY;
  const isShorter =
    names.has("revokeInactiveTokensAfterDays") && days !== undefined && days > 0 && days < before;
  return {
    refusal,
    warnings: isShorter
      ? [
          `revokeInactiveTokensAfterDays: API access tokens that nobody used for ${counted(days, "day")} lose their access immediately, and a revoked token can't come back.`,
        ]
      : [],
  };
}
