import type { Listing } from "../inventory/listing.js";
import { readStackExport, type StateResource } from "../inventory/stack-export.js";
import { withArticle } from "../messages/nouns.js";
import { readJson } from "./files.js";
import { onStack, type Project } from "./pulumi.js";
import { note } from "./terminal.js";

/** Objects that stacks own, and lists that can't show them. */

/** The resources in a file that `pulumi stack export` wrote. */
export async function readExport(file: string): Promise<StateResource[]> {
  const value = await readJson(file);
  try {
    return readStackExport(value);
  } catch (error) {
    throw new Error(`${file} ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The resources of a project's stack. */
export async function resourcesOf(project: Project): Promise<StateResource[]> {
  return readStackExport(JSON.parse(await onStack(project, ["stack", "export"])));
}

/**
 * Explains unreadable lists, because their objects would look owned. An organization without the feature has no
 * templates.
 */
export async function explainRefusals({ refused }: Listing, scopes: readonly string[]): Promise<void> {
  const { kinds } = await import("../provider/kinds.js");
  const { missingScopes, scopesInWords } = await import("../provider/scopes.js");
  for (const { name, words, scopes: needed, plan } of kinds.values()) {
    const error = refused.get(name);
    if (error === undefined) continue;
    const missing = missingScopes(needed.read, new Set(scopes));
    if (missing.length > 0) {
      throw new Error(
        `The ${words.noun}s cannot be listed: the access token lacks ${scopesInWords(missing)}. ` +
          `Give it that scope, or leave them out with --except ${name}.`,
      );
    }
    if (plan === undefined) throw error;
    note(
      `The API refuses the list of ${words.noun}s, which need ${withArticle(plan)} plan. None were checked.`,
    );
  }
}
