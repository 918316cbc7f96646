import type { Mismatch } from "./mismatch.js";
import { map } from "./shape.js";

/** A map of settings whose names programs write in camelCase, and the API in snake_case. */

type Settings<Value> = { [setting: string]: Value };

/** The values may be of any type, which is why they have none. */
function isSettings(value: unknown): value is Settings<never> {
  return typeof value === "object" && value !== null;
}

export function withKeys<Value>(
  settings: Settings<Value>,
  spelled: (key: string) => string,
): Settings<Value> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [spelled(key), value]));
}

export function camelCase(key: string): string {
  return key.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Returns the settings in the API's answer, with the names that programs write. The answer repeats the repository,
 * and which account of the source provider reaches it: neither is a setting.
 */
export function settingsIn(answer: unknown): Settings<never> | undefined {
  if (!isSettings(answer)) return undefined;
  const { repository: _, account: __, ...settings } = withKeys(answer, camelCase);
  return settings;
}

export function onlyNamed<Value>(found: Settings<Value>, wanted: Settings<Value>): Settings<Value> {
  return Object.fromEntries(Object.entries(found).filter(([key]) => key in wanted));
}

/** Settings whose names are written as arguments are. */
export function settingsShape(value: unknown): Mismatch[] {
  const mismatches = map(value);
  if (mismatches.length > 0) return mismatches;
  return Object.keys(Object(value))
    .filter((key) => camelCase(key) !== key)
    .map((key) => ({
      place: `.${key}`,
      value: key,
      problem: `is not in camelCase: write ${camelCase(key)}`,
    }));
}
