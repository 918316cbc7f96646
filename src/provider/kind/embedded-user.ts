/**
 * A user as far as state keeps one: who did it, no more. The rest is left out
 * for privacy and because every byte of state is rewritten at each step of a deployment.
 */
export interface EmbeddedUser {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
}
