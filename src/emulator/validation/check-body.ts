import type { z } from "zod";
import { validationFailed } from "../http/errors.js";

/** The body as its schema describes it. @throws {Refusal} 422 that names every field at fault. */
export function checkBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw validationFailed(
    ...fieldErrors(result.error).map(({ field, message }) => `${humanized(field)} ${message}`),
  );
}

/** What is wrong, one entry a field. */
export function fieldErrors(error: z.ZodError): { field: string; message: string; missing: boolean }[] {
  const byField = new Map<string, { field: string; message: string; missing: boolean }>();
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? "body");
    if (byField.has(field)) continue;
    byField.set(field, { field, message: issue.message, missing: issue.message === "can't be blank" });
  }
  return [...byField.values()];
}

/** `default_queue_id` becomes `Default queue`, as the service's own messages have it. */
function humanized(field: string): string {
  const words = field.replace(/_ids?$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
