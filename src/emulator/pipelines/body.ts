import { z } from "zod";
import { clearableId, text } from "../model/body.js";
import { Refusal } from "../model/refusals.js";
import { pipelineLevels } from "./permissions.js";
import { settableSettings } from "./settings.js";

export const longestSlug = 100;

const slug = z
  .string({ error: "must be a string" })
  .regex(/^[a-zA-Z0-9]+[a-zA-Z0-9-]*$/, { error: "can only contain letters, numbers and hyphens" })
  .max(longestSlug, { error: `is too long (maximum is ${longestSlug} characters)` })
  .nullable();

/** Every property but the two that a creation requires. */
export const optional = z
  .object({
    ...settableSettings,
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
