import * as z from "zod";
import { onStack, type Project } from "../shared/pulumi/pulumi.js";
import { changedIn } from "./git.js";

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
 * Returns the files that changed since a stack was deployed. Undefined where a commit of its deployments isn't known.
 *
 * @param repository the folder of the repository
 */
export async function changedSinceDeployment(
  { directory, stack }: Project,
  repository: string,
): Promise<readonly string[] | undefined> {
  const commits = await deployedCommits({ directory, stack });
  const changes = await Promise.all(commits.map((commit) => changedIn(repository, commit, "..")));
  const known = changes.filter((changed) => changed !== undefined);
  return known.length === 0 || known.length < changes.length ? undefined : known.flat();
}

/**
 * Returns the commits that a stack was deployed from, as Pulumi notes them with each deployment: that of the last
 * successful deployment, and those that were tried since, which may be deployed in part. None if there is none, if
 * files differed from a commit, or if the stack was destroyed since.
 */
async function deployedCommits(project: Project): Promise<string[]> {
  try {
    const printed = await onStack(project, ["stack", "history", "--json", "--page-size", `${LATEST}`]);
    const changes = historySchema
      .parse(JSON.parse(printed))
      .filter(({ kind }) => kind === "update" || kind === "destroy");
    const last = changes.findIndex(({ kind, result }) => kind === "update" && result === "succeeded");
    const commits = changes.slice(0, last + 1).map(({ kind, environment }) => {
      const { "git.head": commit, "git.dirty": isDirty } = environment ?? {};
      return kind === "destroy" || isDirty === "true" ? undefined : commit;
    });
    const known = commits.filter((commit) => commit !== undefined);
    return known.length < commits.length ? [] : [...new Set(known.reverse())];
  } catch {
    // What isn't known counts as never deployed: its project is then previewed.
    return [];
  }
}
