import type * as z from "zod";
import { entity, identifier, text } from "./entity.js";

/** One run of a test suite (sections 2.8 and 3.2). */
export interface Run {
  /** UUID. */
  id: string;
  /** `running` or `finished`. A finished run goes back to `running` when more results arrive. */
  state?: string | null;
  /** `pending`, `passed`, `failed` or `stale`. `passed` does not mean that processing is complete; `failed` never changes. */
  result?: string | null;
  branch?: string | null;
  /** Full commit hash. */
  commit_sha?: string | null;
  /** Address in the REST interface. */
  url?: string | null;
  /** Address in the web interface. */
  web_url?: string | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
}

export const runSchema: z.ZodType<Run> = entity<Run>(
  { id: identifier },
  { state: text, result: text, branch: text, commit_sha: text, url: text, web_url: text, created_at: text },
);
