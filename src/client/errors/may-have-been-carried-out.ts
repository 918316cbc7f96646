import { BuildPipelineError } from "./build-pipeline-error.js";
import { notedOutcome, type RequestOutcome } from "./request-outcome.js";

/**
 * Checks whether the request behind an error may have been carried out. True if its response was lost, unreadable or a
 * 5xx. Also true if it was aborted on its way, or if an earlier try got no response. False for a GET, and where it is
 * certain.
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
