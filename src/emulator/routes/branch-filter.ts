import type { PipelineRecord } from "../store/records.js";

/**
 * Whether a pipeline builds a branch: its branch configuration lists patterns divided by blanks, `*` stands for
 * any text and `!` before a pattern excludes.
 */
export function branchIsBuilt(pipeline: PipelineRecord, branch: string): boolean {
  const patterns = (pipeline.branch_configuration ?? "").split(/\s+/).filter((pattern) => pattern !== "");
  const excluded = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const included = patterns.filter((pattern) => !pattern.startsWith("!"));
  if (excluded.some((pattern) => matches(pattern, branch))) return false;
  return included.length === 0 || included.some((pattern) => matches(pattern, branch));
}

function matches(pattern: string, branch: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(branch);
}
