import type { BuildPipelineClient } from "../client/index.js";
import { functions } from "../lookups/functions.js";
import { apiOf, lookupError } from "../lookups/invoke/function.js";
import { ResponseCache } from "../lookups/invoke/response-cache.js";
import { hasSecret, type Properties, revealAll } from "../protocol/encoded-values.js";
import { functionOfToken } from "../protocol/type-token.js";

/** The functions of the plugin. Equal reads send one request, until something is written. */
export class Functions {
  #responses: ResponseCache | undefined;

  /** Forgets the responses: something is, or was, written. */
  forget(): void {
    this.#responses = undefined;
  }

  /**
   * @param token `buildpipeline:index:getCluster` and so on
   * @throws LookupError when nothing, or more than one thing, is found
   */
  async invoke(token: string, given: Properties, client: BuildPipelineClient): Promise<Properties> {
    const name = functionOfToken(token) ?? token;
    const called = functions.get(name);
    if (called === undefined) throw new Error(`There is no function ${token}.`);
    const args = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, revealAll(value)]));
    this.#responses ??= new ResponseCache(async () => client, true);
    try {
      return { ...Object(await called.find(apiOf(this.#responses, client.organization), args)) };
    } catch (cause) {
      throw lookupError(name, args, cause, hasSecret(given));
    }
  }
}
