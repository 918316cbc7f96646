import type { ValueMismatch } from "./mismatch.js";
import { camelCase, settingsShape, withKeys } from "./provider-settings.js";

/** Settings of a notification service, of which the API shows some in part, and others not at all. */

/** The values may be of any type, which is why they have none. */
type Settings = { [setting: string]: never };

/** Providers that a browser connects. */
export const CONNECTED: readonly unknown[] = ["slack_workspace", "linear"];

/** Settings that are secret. The address of `slack` is as well. */
const SECRET = ["token", "apiKey", "headers"];
/** Other settings that Buildkite documents. */
const PLAIN = (
  "url token_mode version events tls_verify theme aws_region aws_account_id include_build_meta_data datadog_site datadog_tags " +
  "endpoint service_name resource_attributes tracestate"
)
  .split(" ")
  .map(camelCase);

/** What an answer shows of masked settings of maps: the text after the mask. */
const endings = new WeakMap<object, Readonly<Record<string, string>>>();
const MASK = /^(?:X{4,}(\w{0,4})|[*•]{3,}(.{0,4}))$/;

function endingOf(value: unknown): string | undefined {
  const [mask, one, other = ""] = (typeof value === "string" && MASK.exec(value)) || [];
  return mask === undefined ? undefined : (one ?? other);
}

/** Returns the settings of an answer: null for one that it masks, because a mask is no value. */
function settingsIn(answer: unknown, isOwn: (key: string) => boolean): Settings | undefined {
  // Nothing says what the object has.
  if (typeof answer !== "object" || answer === null) return {};
  const all = Object.entries(withKeys({ ...answer }, camelCase)).filter(([key]) => isOwn(key));
  if (all.length === 0) return undefined;
  const shown = Object.fromEntries(
    all.map(([key, value]) => [key, endingOf(value) === undefined ? value : null]),
  );
  const masked = all.flatMap(([key, value]) =>
    [[key, endingOf(value)]].filter(([, end]) => end !== undefined),
  );
  endings.set(shown, Object.fromEntries(masked));
  return shown as Settings;
}

export const plainSettingsIn = (answer: unknown) =>
  settingsIn(answer, (key) => !SECRET.includes(key) && key !== "eventSourceName") ?? {};

export const secretSettingsIn = (answer: unknown) => settingsIn(answer, (key) => SECRET.includes(key));

/**
 * Returns what an object has of the settings that a program names. One that isn't returned is as it was sent, and so is a
 * masked one with the same end. One with another end is unknown.
 */
export function namedSettings(found: Settings, wanted: Settings): Settings {
  const named = Object.entries(wanted).flatMap(([key, value]) => {
    const end = endings.get(found)?.[key];
    if (end === undefined) return [[key, Object.hasOwn(found, key) ? found[key] : value]];
    return String(value).endsWith(end) ? [[key, value]] : [];
  });
  return Object.fromEntries(named);
}

/** Returns settings of which lists have no order. */
export function canonicalSettings(settings: Settings | undefined): unknown {
  const { events } = settings ?? {};
  return Array.isArray(events) ? { ...settings, events: [...events].sort() } : settings;
}

export function notificationSettingsShape(value: unknown): ValueMismatch[] {
  const masks = Object.entries({ ...Object(value) }).filter(([, one]) => endingOf(one) !== undefined);
  return [
    ...settingsShape(value),
    ...masks.map(([key, mask]) => ({
      place: `.${key}`,
      value: mask,
      problem: "is a mask, which the API shows in place of a secret",
    })),
  ];
}

/** Returns which setting is in the wrong one of the two maps; undefined if none is. */
export function misplacedSetting(
  map: "settings" | "secretSettings",
  given: Settings | undefined,
  provider: unknown,
): string | undefined {
  const isSecret = (key: string) => SECRET.includes(key) || (key === "url" && provider === "slack");
  const key = Object.keys(given ?? {}).find((one) =>
    map === "settings" ? isSecret(one) : PLAIN.includes(one) && !isSecret(one),
  );
  if (key === undefined) return undefined;
  return map === "settings"
    ? `has ${key}, which is secret. Move it to secretSettings.`
    : `has ${key}, which reads return, so that it is no secret. Move it to settings.`;
}
