import { BuildPipelineError } from "./build-pipeline-error.js";
import { notedOutcome, type RequestOutcome } from "./request-outcome.js";

/**
 * Checks whether the request behind this error may have been carried out all the same: its response was lost, unreadable or a
 * 5xx, it was aborted on its way, or an earlier try of it got no response. A GET changes nothing, so it never is.
 * False only where that is certain.
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
  if (error instanceof BuildPipelineError && "method" in error && error.method === "GET") return false;
  return outcomeOf(error) === "unknown";
}

/** Returns what became of the request behind an error. `unknown` for errors that are not the client's. */
export function outcomeOf(error: unknown): RequestOutcome {
  if (error instanceof BuildPipelineError) return error.outcome;
  return notedOutcome(error) ?? "unknown";
}
