import type { Reads } from "./behavior.js";

/** Returns the id of the organization's member with an email address. Needs the scope to list the members. */
export async function idOfUser({ client, signal }: Reads, name: string): Promise<string | undefined> {
  if (!name.includes("@")) return undefined;
  const members = await client.members.list({ signal }).all();
  return members.find(({ email }) => email?.toLowerCase() === name.toLowerCase())?.id;
}
