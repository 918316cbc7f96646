import * as z from "zod";
import { onStack } from "../project/pulumi.js";

const historySchema = z.array(
  z.object({
    kind: z.string(),
    result: z.string(),
    environment: z.record(z.string(), z.string()).nullish(),
  }),
);

/** As many of a stack's latest operations are looked at. */
const LATEST = 50;

/**
 * Returns the commits that a stack was deployed from, as Pulumi notes them with each deployment: that of the last
 * successful deployment, and those that were tried since, which may be deployed in part. Undefined if there is none, if
 * files differed from a commit, or if the stack was destroyed since.
 */
export async function deployedCommits(
  directory: string,
  stack: string,
): Promise<readonly string[] | undefined> {
  try {
    const printed = await onStack({ directory, stack }, [
      "stack",
      "history",
      "--json",
      "--page-size",
      String(LATEST),
    ]);
    const changes = historySchema
      .parse(JSON.parse(printed))
      .filter(({ kind }) => kind === "update" || kind === "destroy");
    const last = changes.findIndex(({ kind, result }) => kind === "update" && result === "succeeded");
    const commits = changes.slice(0, last + 1).map(({ kind, environment }) => {
      const { "git.head": commit, "git.dirty": isDirty } = environment ?? {};
      return kind === "destroy" || isDirty === "true" ? undefined : commit;
    });
    const known = commits.filter((commit) => commit !== undefined);
    return known.length === 0 || known.length < commits.length ? undefined : [...new Set(known.reverse())];
  } catch {
    // What isn't known counts as never deployed: its project is then previewed.
    return undefined;
  }
}
