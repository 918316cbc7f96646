import { isHidden } from "../inventory/kinds.js";
import type { ListingOptions, LiveObject } from "../inventory/listing.js";
import { objectKey } from "../inventory/object-key.js";
import { listReadable } from "../inventory/readable-listing.js";
import type { StateResource } from "../inventory/stack-export.js";
import { counted } from "../messages/nouns.js";
import type { Connection } from "../project/connection.js";
import type { Backend } from "../protocol/type-token.js";
import type { Observer } from "../provider/missing/marks.js";
import { isSelected, type Selection, selectedKinds } from "./selection.js";

/** The objects of an organization that are to be imported, and who observed them. */
export interface Source {
  readonly organization: string;
  /** How many objects the organization has. */
  readonly listed: number;
  /** The selected objects that no other stack owns. */
  readonly objects: readonly LiveObject[];
  readonly observer: Observer;
  /** The lists that the organization's plan doesn't have. */
  readonly remarks: readonly string[];
}

export interface SourceOptions extends Pick<ListingOptions, "onProgress"> {
  readonly selection: Selection;
  /** Resources of other stacks. */
  readonly others: readonly StateResource[];
  readonly backend: Backend;
}

/** Reads an organization, and its observer as far as the import file needs that. */
export async function readSource(
  { client, origin }: Pick<Connection, "client" | "origin">,
  { selection, others, backend, onProgress }: SourceOptions,
): Promise<Source> {
  const { listing, remarks } = await listReadable(client, {
    kinds: selectedKinds(selection),
    ...(onProgress && { onProgress }),
  });
  // The plugin reads what it imports, and then writes the marks itself.
  const needsToken = backend === "dynamic" && listing.objects.some(isHidden);
  const token = needsToken ? await client.accessToken.get().catch(() => undefined) : undefined;
  const elsewhere = new Set(
    others.filter(({ external }) => !external).map(({ kind, id }) => objectKey(kind, id)),
  );
  const isElsewhere = ({ kind, id }: LiveObject) => elsewhere.has(objectKey(kind.name, id));
  const free = listing.objects.filter((object) => isSelected(selection, object) && !isElsewhere(object));
  // The contents of another stack's cluster probably belong to its team.
  const inside = free.filter(({ parent }) => parent !== undefined && isElsewhere(parent));
  const leavesOut = selection.only.length === 0 && inside.length > 0;
  const nouns = [...new Set(inside.map(({ parent }) => `${parent?.kind.words.noun}s`))];
  return {
    organization: listing.organization,
    listed: listing.objects.length,
    objects: leavesOut ? free.filter((object) => !inside.includes(object)) : free,
    observer: { origin, tokenId: token?.uuid },
    remarks: leavesOut
      ? [
          ...remarks,
          `Left out: ${counted(inside.length, "object")} in ${nouns.join(" or ")} that other stacks own. ` +
            "--only imports such objects.",
        ]
      : remarks,
  };
}
