/** Why a lookup has no result, in words that follow the name of the lookup and what it was asked. */
export class Obstacle extends Error {
  /** The service answered, and what was asked for is not there, or the access token may not see it. */
  readonly missing: boolean;

  constructor(message: string, { missing = false }: { missing?: boolean } = {}) {
    super(message);
    this.missing = missing;
  }
}
