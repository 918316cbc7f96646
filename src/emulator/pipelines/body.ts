import { z } from "zod";
import { choice, clearableColor, clearableId, clearableText, flag, text } from "../model/body.js";
import { Refusal } from "../model/refusals.js";
import { pipelineLevels } from "./permissions.js";

export const longestSlug = 100;
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

const slug = z
  .string({ error: "must be a string" })
  .regex(/^[a-zA-Z0-9]+[a-zA-Z0-9-]*$/, { error: "can only contain letters, numbers and hyphens" })
  .max(longestSlug, { error: `is too long (maximum is ${longestSlug} characters)` })
  .nullable();

const mirror = clearableText.refine((url) => url === null || /^(?!\w+:\/\/[^/]*@)[^?#]*$/.test(url), {
  error: "can't have credentials, a query or a fragment",
});

const settable = {
  description: clearableText,
  default_branch: clearableText,
  branch_configuration: clearableText,
  skip_queued_branch_builds: flag,
  skip_queued_branch_builds_filter: clearableText,
  cancel_running_branch_builds: flag,
  cancel_running_branch_builds_filter: clearableText,
  allow_rebuilds: flag,
  default_command_step_timeout: minutes,
  maximum_command_step_timeout: minutes,
  visibility: choice(["private", "public"]),
  tags,
  emoji: clearableText,
  color: clearableColor,
  clone_mirror_url: mirror,
};

/** Every property but the two that a creation requires. */
export const optional = z
  .object({
    ...settable,
    slug,
    cluster_id: clearableId,
    pipeline_template_uuid: clearableId,
    configuration: z.string({ error: "must be a string" }),
    steps: z.array(z.unknown(), { error: "must be an array" }),
    env: z.record(z.string(), z.string(), { error: "must be an object of strings" }).nullable(),
    provider_settings: z.record(z.string(), z.unknown(), { error: "must be an object" }),
    teams: z.record(z.uuid(), z.enum(pipelineLevels), { error: "must be an object of access levels" }),
  })
  .partial();

export const required = { name: text, repository: text };

export type Body = z.output<typeof optional> & { readonly name?: string | undefined };

/** The refusal of a property of a pipeline, in the form that only pipelines have. */
export const refusal = (field: string, code: string, value: unknown = null) =>
  new Refusal(422, "Validation Failed", { errors: [{ field, code, value }] });

export const refuseBody = ({ issues }: z.ZodError) =>
  new Refusal(422, "Validation Failed", {
    errors: issues.map(({ path: [field = "body"], message, input = null }) => {
      return { field: String(field), code: message, value: input };
    }),
  });
