import {
  canonicalColor,
  canonicalEmoji,
  canonicalName,
  canonicalText,
  decodeEmoji,
  slugOf,
} from "./canonical.js";
import * as shape from "./shape.js";

/** Field descriptions that several kinds share. Each is spread into the kind's own description. */

/** A property that bodies and responses have by the same name. */
export function property<Name extends string>(name: Name) {
  return { sentAs: name, returnedAs: name } as const;
}

/** What exists may have blanks at its ends. A program declares it without them, which means the same. */
export const requiredText = {
  shape: shape.text((text) => {
    if (text.trim() === "") return "is blank";
    if (text === text.trim()) return undefined;
    const words = "has blanks or line breaks at its ends, which the API may remove";
    return { words, fix: "Remove them, by text.trim() where the text comes from elsewhere" };
  }),
  expected: "text of at least one character",
  whenOmitted: "required",
  decode: (value: unknown) => (typeof value === "string" ? value.trim() : undefined),
  canonicalOnService: canonicalName,
} as const;

export const optionalText = {
  shape: shape.text(),
  expected: "text",
  whenOmitted: "cleared",
  canonicalOnService: (value: string | undefined) => canonicalText(canonicalName(value)),
} as const;

export const color = {
  shape: shape.text((text) =>
    text === "" || /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text) ? undefined : "is not a hex color code",
  ),
  expected: 'a hex color code such as "#14cc80"',
  whenOmitted: "cleared",
  canonical: canonicalColor,
} as const;

const EMOJI_NAME = /^:[A-Za-z0-9_+'&.-]+:(:skin-tone-[2-6]:)?$/;

/** `:name:` or one emoji character, as the web interface stores it. */
export const emoji = {
  whenOmitted: "cleared",
  canonical: canonicalEmoji,
  decode: decodeEmoji,
  shape: shape.text((text) =>
    text === "" || EMOJI_NAME.test(text) || isEmojiCharacter(text)
      ? undefined
      : "is neither in emoji syntax nor one emoji character",
  ),
  expected: 'an emoji name between colons such as ":rocket:", or one emoji character',
} as const;

function isEmojiCharacter(text: string): boolean {
  const clusters = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)];
  return clusters.length === 1 && /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function problemOfUuid(text: string): string | undefined {
  return UUID.test(text) ? undefined : "is not a UUID";
}

/** UUIDs compare without case. */
export function uuid(what: string) {
  return {
    shape: shape.text(problemOfUuid),
    expected: `the UUID of ${what}`,
    canonical: (value: string | undefined) => value?.toLowerCase(),
  } as const;
}

/** The cluster something lives in: part of its address, never of a body. */
export const clusterId = {
  ...uuid('a cluster, a Cluster resource, or getClusterOutput({ name: "…" }).id'),
  whenOmitted: "required",
  replaces: true,
} as const;

export const inCluster = { kind: "Cluster", argument: "clusterId" } as const;

export const boolean = {
  shape: shape.boolean,
  expected: "true or false",
} as const;

export const flag = { ...boolean, whenOmitted: "cleared", default: false } as const;

/** A name that the API lets several objects have. */
export const distinctName = {
  argument: "name",
  form: (name: string) => canonicalName(name) ?? name,
  words: "is the name of {other} already, and people cannot distinguish them. Give each its own name.",
  tolerated: true,
} as const;

/** A name that makes the slug, which only one object can have. */
export function distinctSlug(plural: string) {
  return {
    argument: "name",
    form: slugOf,
    words:
      `makes the same slug as the name of {other}. Names of ${plural} must differ in letters or digits; one that ` +
      'exists already may keep its name with { ignoreChanges: ["name"] }.',
  } as const;
}
