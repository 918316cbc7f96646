/** Why a lookup has no result. The message follows the name and the arguments of the lookup in its LookupError. */
export class LookupFailure extends Error {
  /** The service answered, and what was asked for is not there, or the access token may not see it. */
  readonly missing: boolean;

  constructor(message: string, { missing = false }: { missing?: boolean } = {}) {
    super(message);
    this.missing = missing;
  }
}
