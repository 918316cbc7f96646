import { isDeepStrictEqual } from "node:util";
import type { ApiSettings, ApiSettingsUpdate, BuildPipelineClient } from "../../client/index.js";
import { counted } from "../../shared/messages/nouns.js";
import { reveal } from "../../shared/protocol/encoded-values.js";
import { canonicalNetworks, decodeNetworks, isInNetwork, parseNetwork } from "./canonical.js";
import { camelCase, withKeys } from "./provider-settings.js";
import type { Known } from "./value-roles.js";

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

/** Adds to the settings that `reachableFrom` is about a list that somebody has changed since. */
export function withReach<Settings extends Pick<ApiSettings, "allowed_ip_addresses">>(
  settings: Settings,
  { allowedIpAddresses, reachableFrom }: Known,
): Settings & { readonly reachable_from?: string } {
  const stated = reveal(reachableFrom);
  const last = reveal(allowedIpAddresses);
  const isSame = isDeepStrictEqual(
    canonicalNetworks(decodeNetworks(last)),
    canonicalNetworks(decodeNetworks(settings.allowed_ip_addresses)),
  );
  if (typeof stated !== "string" || isSame || stated.startsWith(ELSEWHERE)) return settings;
  return { ...settings, reachable_from: ELSEWHERE + stated };
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

/** @throws right before a list is sent, if it may lock out whoever sends it: a preview may not have known it */
export function requireReach(list: readonly string[], from: string | undefined): void {
  const problem = problemOfList(list, from);
  if (problem !== undefined) throw new Error(`Nothing was sent. ${problem}`);
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
}: {
  readonly old: Partial<Stated>;
  readonly next: Partial<Stated>;
  readonly known: Known;
  readonly names: ReadonlySet<string>;
}) {
  const { allowedIpAddresses: list, reachableFrom: from, revokeInactiveTokensAfterDays: days } = next;
  const isListSent = names.has("allowedIpAddresses") && list !== undefined;
  const isElsewhere = isListSent && from !== undefined && old.reachableFrom === ELSEWHERE + from;
  const refusal =
    problemOfFeatures(reveal(known.features), names) ??
    (isElsewhere
      ? "allowedIpAddresses: somebody changed the list, and it isn't changed back by itself. Give what the API has, or change reachableFrom to confirm that you reach the API under the program's list."
      : undefined) ??
    (isListSent ? problemOfList(list, from) : undefined);
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
