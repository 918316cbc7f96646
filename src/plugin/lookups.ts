// Loading them makes them known by their names.
import "../lookups/index.js";

import type { BuildPipelineClient } from "../client/index.js";
import { type Api, lookupError } from "../lookups/invoke/lookup.js";
import { lookupNamed } from "../lookups/invoke/registry.js";
import { functionOfToken } from "../protocol/type-token.js";
import type { Properties } from "../protocol/values.js";
import { hasSecret, revealAll } from "../protocol/values.js";

/** The lookups as functions of the plugin. Equal reads send one request, until something is written. */
export class Lookups {
  readonly #responses = new Map<unknown, Map<string, Promise<unknown>>>();

  /** Forgets what the service answered: something is, or was, written. */
  forget(): void {
    this.#responses.clear();
  }

  /**
   * @param token `buildpipeline:index:getCluster` and so on
   * @throws LookupError when nothing, or more than one thing, is found
   */
  async invoke(token: string, given: Properties, client: BuildPipelineClient): Promise<Properties> {
    const name = functionOfToken(token) ?? token;
    const find = lookupNamed(name);
    if (find === undefined) throw new Error(`There is no function ${token}.`);
    const args = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, revealAll(value)]));
    const api: Api = {
      organization: client.organization,
      get: (request, ...parameters) => this.#get(request, parameters, () => request(client, ...parameters)),
    };
    try {
      return { ...Object(await find(api, args)) };
    } catch (cause) {
      throw lookupError(name, args, cause, hasSecret(given));
    }
  }

  #get<Response>(request: unknown, parameters: unknown, send: () => Promise<Response>): Promise<Response> {
    const sent: Map<string, Promise<unknown>> = this.#responses.get(request) ?? new Map();
    this.#responses.set(request, sent);
    const key = JSON.stringify(parameters);
    const before = sent.get(key);
    // The same request gives the same type of response.
    if (before !== undefined) return before as Promise<Response>;
    const response = send();
    sent.set(key, response);
    response.catch(() => sent.delete(key));
    return response;
  }
}
