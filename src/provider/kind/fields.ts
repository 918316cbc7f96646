import { identityOf, isUuid } from "../../shared/protocol/identity.js";
import {
  canonicalColor,
  canonicalEmoji,
  canonicalName,
  canonicalText,
  decodeEmoji,
  slugOf,
} from "./canonical.js";
import { nothing, replaced, steps } from "./review.js";
import * as shape from "./shape.js";
import { meaningOfYaml, problemOfYaml, yamlText } from "./yaml-text.js";

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

/** What people read about an object. */
export const description = { ...optionalText, review: nothing, ...property("description") } as const;

/** YAML text of a list, or the list itself as a plain array. @param example one entry */
export function yamlList(example: string) {
  return {
    shape: shape.listOr(shape.text(problemOfYaml)),
    isDocument: true,
    expected: `YAML text such as ${JSON.stringify(`${example}\n`)}, or a plain array of the same content`,
    normalize: (value: YamlList, old: YamlList | undefined): string =>
      typeof value === "string" ? value : yamlText(value, typeof old === "string" ? old : undefined),
    canonicalOnService: (value: YamlList | undefined): unknown =>
      typeof value === "string" ? meaningOfYaml(value) : value,
  } as const;
}

type YamlList = string | { [key: string]: unknown }[];

export const color = {
  shape: shape.text((text) =>
    text === "" || /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text) ? undefined : "is not a hex color code",
  ),
  expected: 'a hex color code such as "#14cc80"',
  review: nothing,
  whenOmitted: "cleared",
  canonical: canonicalColor,
} as const;

const EMOJI_NAME = /^:[A-Za-z0-9_+'&.-]+:(:skin-tone-[2-6]:)?$/;

/** `:name:` or one emoji character, as the web interface stores it. */
export const emoji = {
  review: nothing,
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

export function problemOfUuid(text: string): string | undefined {
  if (isUuid(text)) return undefined;
  const contained = /^\w+---(.{36})$/.exec(Buffer.from(text, "base64").toString())?.[1] ?? "";
  return isUuid(contained) ? `is a GraphQL id, which contains the UUID ${contained}` : "is not a UUID";
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
  hasSteps: true,
  review: steps,
  expected: 'YAML text such as "steps:\\n  - command: make test\\n", or a plain object of the same content',
  normalize: (value: unknown, old: unknown) =>
    typeof value === "string" ? value : yamlText(value, typeof old === "string" ? old : undefined),
  canonicalOnService: (value: unknown) => (typeof value === "string" ? meaningOfYaml(value) : value),
} as const;

export function uuid(what: string) {
  return {
    shape: shape.text(problemOfUuid),
    expected: `the UUID of ${what}`,
    canonical: (value: unknown) => (typeof value === "string" ? identityOf(value) : value),
  } as const;
}

/** The cluster something lives in: part of its address, never of a body. */
export const clusterId = {
  ...uuid('a cluster, a Cluster resource, or getClusterOutput({ name: "…" }).id'),
  whenOmitted: "required",
  replaces: true,
  review: replaced,
} as const;

/** The cluster of a pipeline, which may be in none. */
export const optionalCluster = {
  ...unmanagedText,
  shape: shape.text((id) => (id === "" ? undefined : problemOfUuid(id))),
  expected: 'the UUID of a cluster, a Cluster resource, or "" for none',
  refersTo: "Cluster",
  takesResource: true,
  encode: (id: string) => (id === "" ? null : id),
  canonical: (id: string | undefined) => id?.toLowerCase(),
  canonicalOnService: (id: string | undefined) => id?.toLowerCase() || undefined,
} as const;

/** What a pipeline's creation gives a team for which nothing else is said. */
export const FULL_ACCESS = "manage_build_and_read";

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
  review: replaced,
} as const;

/** The team something belongs to: part of its address, never of a body. */
export const teamId = {
  ...uuid('a team, a Team resource, or getTeamOutput({ name: "…" }).id'),
  whenOmitted: "required",
  replaces: true,
  review: replaced,
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
