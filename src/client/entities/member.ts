import type * as z from "zod";
import { entity, identifier, text } from "./entity.js";

/** A person who belongs to an organization (section 2.14). */
export interface Member {
  /** UUID of the user. */
  id: string;
  name?: string | null;
  email?: string | null;
}

export const memberSchema: z.ZodType<Member> = entity<Member>(
  { id: identifier },
  { name: text, email: text },
);
