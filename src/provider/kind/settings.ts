import { pagedList } from "../../client/api/list.js";
import type { BuildPipelineClient } from "../../client/index.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import type { Address, Context, Deleted, Deletion, Place, Reads } from "./behavior.js";
import { notices } from "./review.js";
import type { Arguments, Known } from "./value-roles.js";

interface Settings<Entity, Update> {
  get(client: BuildPipelineClient, known: Known): Promise<Entity>;
  update(client: BuildPipelineClient, body: Update, at: Partial<Address>): Promise<Entity>;
  /** What a deletion changes, as a sentence. Default: nothing. */
  readonly cleared?: string;
  /** Changes what a deletion can't leave. @returns words about it, undefined if it changes nothing */
  clear?(client: BuildPipelineClient, stated: Arguments): Promise<string | undefined>;
}

/**
 * Makes the parts of settings that each organization has once: its slug is their id, they always exist, and nothing deletes
 * them.
 */
export function ofOrganization<Entity extends object, Update>(
  { name, noun }: { readonly name: string; readonly noun: string },
  settings: Settings<Entity, Update>,
) {
  type Own = Entity & { readonly organization: string };
  const read = async ({ client }: Reads, known: Known): Promise<Own> => ({
    ...(await settings.get(client, known)),
    organization: client.organization,
  });
  const update = async ({ client }: Context, at: Place, body: Update): Promise<Own> => ({
    ...(await settings.update(client, body, at)),
    organization: client.organization,
  });
  return {
    isSetting: true,
    review: {
      deleted: [
        {
          ...notices("only {leaves|leave} the state", {
            rest: settings.cleared ?? "The organization keeps what it has.",
          }),
          remains: true,
        },
      ],
      vanished: {},
    },
    identify: ({ organization }: Own) => organization,
    importing: { form: "settings", names: () => ["settings"] },
    behavior: {
      list: (reads: Reads) =>
        pagedList(async function* () {
          yield [await read(reads, {})];
        }),
      get: async (reads: Reads, { id, known }: Address): Promise<Own | undefined> =>
        isSameObject(id, reads.client.organization) ? read(reads, known) : undefined,
      create: update,
      update,
      async delete(context: Context, { id, stated }: Deleted): Promise<Deletion> {
        // After a rename, they are already the new entry's.
        const isOthers = context.done(name, id).written !== "nothing";
        const done = isOthers ? undefined : await settings.clear?.(context.client, stated);
        context.inform(
          `the ${noun}s of ${id} stay as they are${done === undefined ? "" : `, except that ${done}`}, and leave the state only`,
        );
        return "leftBehind";
      },
    },
  } as const;
}
