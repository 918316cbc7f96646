import * as z from "zod";
import { entity, identifier } from "./entity.js";

/** What the service says about the access token in use (section 2.15). Never the token itself. */
export interface AccessTokenDescription {
  /** UUID. Not secret. */
  uuid: string;
  /** What the token may do, such as `read_clusters` (section 5). */
  scopes: string[];
}

export const accessTokenDescriptionSchema: z.ZodType<AccessTokenDescription> = entity<AccessTokenDescription>(
  { uuid: identifier, scopes: z.array(z.string()) },
  {},
);
