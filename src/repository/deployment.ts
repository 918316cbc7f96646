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
 * Returns the commit that a stack was last deployed from, as Pulumi notes it with each deployment. Undefined if there
 * is none, or if files differed from the commit.
 */
export async function deployedCommit(directory: string, stack: string): Promise<string | undefined> {
  try {
    const printed = await onStack({ directory, stack }, [
      "stack",
      "history",
      "--json",
      "--page-size",
      String(LATEST),
    ]);
    const latest = historySchema
      .parse(JSON.parse(printed))
      .find(({ kind, result }) => kind === "update" && result === "succeeded");
    const { "git.head": commit, "git.dirty": isDirty } = latest?.environment ?? {};
    return isDirty === "true" ? undefined : commit;
  } catch {
    // What isn't known counts as never deployed: its project is then previewed.
    return undefined;
  }
}
