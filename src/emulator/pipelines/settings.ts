import { z } from "zod";
import { choice, clearableColor, clearableText, flag, text } from "../model/body.js";
import * as model from "../model/entity.js";

const mostTags = 10;
const longestTag = 128;

const minutes = z
  .int({ error: "must be a number of minutes" })
  .nonnegative({ error: "must be a number of minutes" })
  .nullable()
  .transform((value) => value || null);

const tags = z
  .array(text.max(longestTag, { error: `must have at most ${longestTag} characters each` }), {
    error: "must be an array",
  })
  .max(mostTags, { error: `must be at most ${mostTags}` })
  .refine((all) => new Set(all).size === all.length, { error: "must be unique" })
  .nullable()
  .transform((all) => (all?.length ? all : null));

const mirror = clearableText.refine((url) => url === null || /^(?!\w+:\/\/[^/]*@)[^?#]*$/.test(url), {
  error: "can't have credentials, a query or a fragment",
});

const optional = z.string().nullable();

/** The settings that responses show as requests write them: in a body, in a response, and where nobody wrote one. */
const settings = {
  description: [clearableText, model.optionalText, null],
  branch_configuration: [clearableText, optional, null],
  default_branch: [clearableText, optional, "main"],
  skip_queued_branch_builds: [flag, z.boolean(), false],
  skip_queued_branch_builds_filter: [clearableText, optional, null],
  cancel_running_branch_builds: [flag, z.boolean(), false],
  cancel_running_branch_builds_filter: [clearableText, optional, null],
  allow_rebuilds: [flag, z.boolean(), true],
  default_command_step_timeout: [minutes, z.int().nullable(), null],
  maximum_command_step_timeout: [minutes, z.int().nullable(), null],
  visibility: [choice(["private", "public"]), z.enum(["private", "public"]), "private"],
  tags: [tags, z.array(z.string()).nullable(), null],
  emoji: [clearableText, optional, null],
  color: [clearableColor, optional, null],
  clone_mirror_url: [mirror, optional, null],
} as const;

type Column<At extends 0 | 1 | 2> = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name][At];
};

function column<At extends 0 | 1 | 2>(at: At): Column<At> {
  // The same names; Object.fromEntries loses that knowledge.
  return Object.fromEntries(Object.entries(settings).map(([name, all]) => [name, all[at]])) as Column<At>;
}

export const settableSettings = column(0);
export const shownSettings = column(1);
export const unsetSettings = column(2);
