import { readComplete } from "../../client/api/list.js";
import type { Reads } from "./behavior.js";

/** Returns the id of the organization's member with an email address. Needs the scope to list the members. */
export async function idOfUser({ client, signal }: Reads, name: string): Promise<string | undefined> {
  if (!name.includes("@")) return undefined;
  const isIt = ({ email }: { readonly email?: string | null | undefined }) =>
    email?.toLowerCase() === name.toLowerCase();
  for await (const member of client.members.list({ signal })) if (isIt(member)) return member.id;
  const members = await readComplete(client.members.list({ signal }), {
    noun: "member",
    idOf: ({ id }) => id,
  });
  return members.find(isIt)?.id;
}
