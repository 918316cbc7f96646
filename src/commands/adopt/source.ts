import { needsToken } from "../../provider/lifecycle/missing/marks.js";
import { counted } from "../../shared/messages/nouns.js";
import type { Backend } from "../../shared/protocol/type-token.js";
import { type ListingOptions, listReadable } from "../shared/inventory/listing.js";
import type { LiveObject } from "../shared/inventory/live-object.js";
import type { Connection } from "../shared/pulumi/project-connection.js";
import type { StateResource } from "../shared/pulumi/stack-export.js";
import { isSelected, type Selection, selectedKinds } from "./selection.js";

/** Which objects of an organization are to be imported, and for which backend. */
export interface Wanted {
  readonly selection: Selection;
  /** Resources of other stacks. */
  readonly others: readonly StateResource[];
  readonly backend: Backend;
}

/**
 * Reads an organization, and its observer as far as the import file needs that.
 *
 * @returns the selected objects that no other stack owns, how many objects there are, and what the lists lack
 */
export async function readSource(
  { client, origin, onProgress }: Connection & Required<Pick<ListingOptions, "onProgress">>,
  { selection, others, backend }: Wanted,
) {
  const { listing, remarks } = await listReadable(client, { kinds: selectedKinds(selection), onProgress });
  // The plugin reads what it imports, and then writes the marks itself.
  const isHidden = ({ kind, observed }: LiveObject) => needsToken(kind, observed);
  const namesToken = backend === "dynamic" && listing.objects.some(isHidden);
  const token = namesToken ? await client.accessToken.get().catch(() => undefined) : undefined;
  const owned = new Set(others.flatMap(({ external, key }) => (external ? [] : [key])));
  const free = listing.objects.filter((object) => isSelected(selection, object) && !owned.has(object.key));
  // The contents of another stack's cluster probably belong to its team.
  const isInside = ({ parent }: LiveObject) => parent !== undefined && owned.has(parent.key);
  const inside = selection.only.length === 0 ? free.filter(isInside) : [];
  const nouns = new Set(inside.map(({ parent }) => `${parent?.kind.words.noun}s`));
  const leftOut =
    `Left out: ${counted(inside.length, "object")} in ${[...nouns].join(" or ")} that other stacks own. ` +
    "--only imports such objects.";
  return {
    organization: listing.organization,
    listed: listing.objects.length,
    objects: free.filter((object) => !inside.includes(object)),
    observer: { origin, tokenId: token?.uuid },
    remarks: inside.length > 0 ? [...remarks, leftOut] : remarks,
  };
}
