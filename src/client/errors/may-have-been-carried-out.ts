import { ApiError } from "./api-error.js";
import { ArgumentError } from "./argument-error.js";
import { ConfigurationError } from "./configuration-error.js";
import { ConnectionError } from "./connection-error.js";
import { ServerError } from "./server-error.js";
import { TimeoutError } from "./timeout-error.js";

/**
 * Whether the request behind this error may have been carried out all the same: its answer was lost, unreadable or a
 * 5xx, it was aborted, or an earlier try of it got no answer. False only where that is certain.
 *
 * @example
 * ```ts
 * try {
 *   return await client.clusters.create({ name: "Linux" });
 * } catch (error) {
 *   if (!mayHaveBeenCarriedOut(error)) throw error;
 *   for await (const cluster of client.clusters.list()) if (cluster.name === "Linux") return cluster;
 *   throw error;
 * }
 * ```
 */
export function mayHaveBeenCarriedOut(error: unknown): boolean {
  if (error instanceof ArgumentError || error instanceof ConfigurationError) return false;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return error.delivered === "unknown";
  if (!(error instanceof ApiError) || error instanceof ServerError) return true;
  // A POST is only sent again after tries that surely came to nothing; other requests after lost answers too.
  return error.attempts > 1 && error.method !== "POST";
}
