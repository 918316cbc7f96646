/** A user: id, name and email address only, for privacy and because each step of a deployment writes the whole state. */
export interface EmbeddedUser {
  /** UUID of the user. */
  readonly id: string;
  /** Full name. */
  readonly name?: string;
  /** Email address. */
  readonly email?: string;
}
