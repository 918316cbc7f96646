import { canonicalColor, canonicalEmoji } from "./canonical.js";
import type { Toolkit } from "./kind.js";

/** Field descriptions that several kinds share. Each is spread into the kind's own description. */

/** Text that must be there and must not be blank. */
export const requiredText = {
  check: ({ z }: Toolkit) => z.string().refine((text) => text.trim() !== "", "is blank"),
  expected: "text of at least one character",
  whenOmitted: "required",
} as const;

/** Text that may be left out, which clears it. */
export const optionalText = {
  check: ({ z }: Toolkit) => z.string(),
  expected: "text",
  whenOmitted: "cleared",
} as const;

export const color = {
  check: ({ z }: Toolkit) =>
    z
      .string()
      .refine((text) => text === "" || /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text), "is not a hex color code"),
  expected: 'a hex color code such as "#14cc80"',
  whenOmitted: "cleared",
  canonical: canonicalColor,
} as const;

const EMOJI_NAME = /^:[A-Za-z0-9_+'&.-]+:(:skin-tone-[2-6]:)?$/;

/** `:name:` only, as clusters take it. */
export const emojiName = {
  check: ({ z }: Toolkit) =>
    z.string().refine((text) => text === "" || EMOJI_NAME.test(text), "is not in emoji syntax"),
  expected: 'an emoji name between colons such as ":rocket:"',
  whenOmitted: "cleared",
  canonical: canonicalEmoji,
} as const;

/** `:name:` or one emoji character, as suites take it. */
export const emoji = {
  check: ({ z }: Toolkit) =>
    z
      .string()
      .refine(
        (text) => text === "" || EMOJI_NAME.test(text) || isEmojiCharacter(text),
        "is neither in emoji syntax nor one emoji character",
      ),
  expected: 'an emoji name between colons such as ":rocket:", or one emoji character',
  whenOmitted: "cleared",
  canonical: canonicalEmoji,
} as const;

function isEmojiCharacter(text: string): boolean {
  const clusters = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)];
  return clusters.length === 1 && /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The UUID of another object. UUIDs compare without case. */
export function uuid(what: string) {
  return {
    check: ({ z }: Toolkit) => z.string().refine(isUuid, "is not a UUID"),
    expected: `the UUID of ${what}`,
    canonical: (value: string | undefined) => value?.toLowerCase(),
  } as const;
}

/** The cluster something lives in: part of its address, never of a body. */
export const clusterId = {
  ...uuid("a cluster (or a Cluster resource)"),
  whenOmitted: "required",
  replaces: true,
} as const;

/** Says that a kind lives in the cluster that its argument `clusterId` names. */
export const inCluster = { kind: "Cluster", argument: "clusterId" } as const;

/** True or false. */
export const boolean = {
  check: ({ z }: Toolkit) => z.boolean(),
  expected: "true or false",
} as const;
