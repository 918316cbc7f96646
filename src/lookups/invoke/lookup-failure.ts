/** Why a lookup has no result. The message follows the name and the arguments of the lookup in its LookupError. */
export class LookupFailure extends Error {
  /** The service responded, and the object is missing or hidden from the access token. */
  readonly missing: boolean;

  constructor(message: string, { missing = false }: { missing?: boolean } = {}) {
    super(message);
    this.missing = missing;
  }
}
