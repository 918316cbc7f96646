import type { BuildPipelineClient } from "../../../client/index.js";
import { missingScopes, scopesInWords } from "../../../provider/lifecycle/run/access.js";
import { withArticle } from "../../../shared/messages/nouns.js";
import { type ListingOptions, listOrganization, refusals } from "./listing.js";

/**
 * Lists an organization.
 *
 * @returns a listing that lacks no list except those that the organization's plan doesn't have, and a sentence for each
 * @throws where the access token can't read a list: its objects would seem not to exist
 */
export async function listReadable(client: BuildPipelineClient, options: ListingOptions) {
  const listing = await listOrganization(client, options);
  const refused = refusals(listing);
  if (refused.length === 0) return { listing, remarks: [] };
  const scopes = new Set((await client.accessToken.get()).scopes);
  const remarks = refused.map(({ kind: { name, words, scopes: needed, plan }, error }) => {
    const missing = missingScopes(needed.read, scopes);
    if (missing.length > 0) {
      throw new Error(
        `The ${words.noun}s cannot be listed: the access token lacks ${scopesInWords(missing)}. ` +
          `Give it that scope, or leave them out with --except ${name}.`,
      );
    }
    if (plan === undefined) throw error;
    return `The API refuses the list of ${words.noun}s, which need ${withArticle(plan)} plan. None were checked.`;
  });
  return { listing, remarks };
}
