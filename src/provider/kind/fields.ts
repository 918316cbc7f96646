import { canonicalColor, canonicalEmoji, canonicalText, decodeEmoji, slugOf } from "./canonical.js";
import * as shape from "./shape.js";
import { meaningOfYaml, problemOfYaml, yamlText } from "./yaml-text.js";

/** Field descriptions that several kinds share. Each is spread into the kind's own description. */

/** A property that bodies and responses have by the same name. */
export function property<Name extends string>(name: Name) {
  return { sentAs: name, returnedAs: name } as const;
}

export const requiredText = {
  shape: shape.text((text) => (text.trim() === "" ? "is blank" : undefined)),
  expected: "text of at least one character",
  whenOmitted: "required",
} as const;

export const optionalText = {
  shape: shape.text(),
  expected: "text",
  whenOmitted: "cleared",
} as const;

export const color = {
  shape: shape.text((text) =>
    text === "" || /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text) ? undefined : "is not a hex color code",
  ),
  expected: 'a hex color code such as "#14cc80"',
  whenOmitted: "cleared",
  canonical: canonicalColor,
} as const;

const emojiText = { whenOmitted: "cleared", canonical: canonicalEmoji, decode: decodeEmoji } as const;

const EMOJI_NAME = /^:[A-Za-z0-9_+'&.-]+:(:skin-tone-[2-6]:)?$/;

/** `:name:` only, as clusters take it. Clusters from the web interface may have a character. */
export const emojiName = {
  ...emojiText,
  shape: shape.text((text) => (text === "" || EMOJI_NAME.test(text) ? undefined : "is not in emoji syntax")),
  isOnlyRead: isEmojiCharacter,
  expected: 'an emoji name between colons such as ":rocket:"',
} as const;

/** `:name:` or one emoji character, as suites take it. */
export const emoji = {
  ...emojiText,
  shape: shape.text((text) =>
    text === "" || EMOJI_NAME.test(text) || isEmojiCharacter(text)
      ? undefined
      : "is neither in emoji syntax nor one emoji character",
  ),
  expected: 'an emoji name between colons such as ":rocket:", or one emoji character',
} as const;

function isEmojiCharacter(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const clusters = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)];
  return clusters.length === 1 && /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function problemOfUuid(text: string): string | undefined {
  if (UUID.test(text)) return undefined;
  const contained = /^\w+---(.{36})$/.exec(Buffer.from(text, "base64").toString())?.[1] ?? "";
  return UUID.test(contained) ? `is a GraphQL id, which contains the UUID ${contained}` : "is not a UUID";
}

/** Optional text with a value of the service's own, which the program may replace. "" clears it. */
export const unmanagedText = {
  shape: shape.text(),
  expected: "text",
  whenOmitted: "unmanaged",
  canonical: (value: string | undefined) => value,
  canonicalOnService: canonicalText,
} as const;

/** The same for a number of minutes, which 0 clears. */
export const unmanagedMinutes = {
  shape: shape.integer(0),
  expected: "a whole number of minutes, or 0 for none",
  whenOmitted: "unmanaged",
  mayBeLeftOut: "anywhere",
  canonical: (value: number | undefined) => value,
  canonicalOnService: (value: number | undefined) => value || undefined,
} as const;

/** Steps as YAML text or a plain object, which goes into state as text. Other YAML with the same meaning is no drift. */
export const stepsInYaml = {
  shape: shape.mapOr(shape.text(problemOfYaml)),
  isDocument: true,
  expected: 'YAML text such as "steps:\\n  - command: make test\\n", or a plain object of the same content',
  normalize: (value: unknown, old: unknown) =>
    typeof value === "string" ? value : yamlText(value, typeof old === "string" ? old : undefined),
  canonicalOnService: (value: unknown) => (typeof value === "string" ? meaningOfYaml(value) : value),
} as const;

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

/** The level of a team's access to a pipeline. */
export const pipelineAccess = {
  shape: shape.choice(["read_only", "build_and_read", "manage_build_and_read"]),
  expected: '"read_only", "build_and_read" or "manage_build_and_read"',
} as const;

/** The pipeline something belongs to, by its UUID: its slug may change. */
export const pipelineId = {
  ...uuid('a pipeline, a Pipeline resource, or getPipelineOutput({ slug: "…" }).id'),
  whenOmitted: "required",
  replaces: true,
} as const;

/** The team something belongs to: part of its address, never of a body. */
export const teamId = {
  ...uuid('a team, a Team resource, or getTeamOutput({ name: "…" }).id'),
  whenOmitted: "required",
  replaces: true,
} as const;

export const inTeam = { kind: "Team", argument: "teamId" } as const;

export const inCluster = { kind: "Cluster", argument: "clusterId" } as const;

export const boolean = {
  shape: shape.boolean,
  expected: "true or false",
} as const;

export const flag = { ...boolean, whenOmitted: "cleared", default: false } as const;

/** A name that the API lets several objects have. */
export const distinctName = {
  argument: "name",
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
