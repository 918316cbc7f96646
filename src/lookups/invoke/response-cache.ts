import * as pulumi from "@pulumi/pulumi";
import type { BuildPipelineClient } from "../../client/index.js";
import type { Settings } from "../../configuration/settings.js";

/** A read of the service. Declared once for each module: the function itself is part of the cache's key. */
export type Request<Parameters extends readonly unknown[], Response> = (
  client: BuildPipelineClient,
  ...parameters: Parameters
) => Promise<Response>;

/** Resources that were deployed when a request was sent. */
export type Resources = ReadonlySet<pulumi.Resource>;

interface Entry {
  readonly after: Resources;
  readonly response: Promise<unknown>;
}

/** What the service answered, so that equal lookups of one deployment send one request. */
export class ResponseCache {
  readonly #keeps: boolean;
  readonly #clients = new Map<string, Promise<BuildPipelineClient>>();
  readonly #requests = new Map<unknown, Map<string, Entry[]>>();

  /** @param keeps whether a response outlives the lookups that wait for it */
  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  /**
   * Sends a request, or returns the response there is. A response from before one of the resources in `after` was
   * deployed does not count: it may be about that resource. A failure is not kept.
   */
  get<Parameters extends readonly unknown[], Response>(
    settings: Settings,
    request: Request<Parameters, Response>,
    parameters: Parameters,
    after: Resources,
  ): Promise<Response> {
    const address = JSON.stringify([settings.baseUrl, settings.organization, settings.accessToken]);
    const key = JSON.stringify([address, ...parameters]);
    const entries = entriesOf(this.#requests, request, key);
    const usable = entries.find((entry) => [...after].every((resource) => entry.after.has(resource)));
    // The request is part of the key, so a response under it is of the request's type.
    if (usable !== undefined) return usable.response as Promise<Response>;
    const response = this.#client(address, settings).then((client) => request(client, ...parameters));
    const entry: Entry = { after, response };
    entries.push(entry);
    const forget = () => void entries.splice(entries.indexOf(entry), 1);
    response.then(this.#keeps ? undefined : forget, forget);
    return response;
  }

  #client(address: string, settings: Settings): Promise<BuildPipelineClient> {
    const known = this.#clients.get(address);
    if (known !== undefined) return known;
    // Loaded here and not above: a program without lookups needs no HTTP client, and would pay 100 ms for it.
    const client = import("../../client/index.js").then(
      ({ BuildPipelineClient }) => new BuildPipelineClient(settings),
    );
    this.#clients.set(address, client);
    return client;
  }
}

function entriesOf(requests: Map<unknown, Map<string, Entry[]>>, request: unknown, key: string): Entry[] {
  const ofRequest = requests.get(request) ?? new Map<string, Entry[]>();
  requests.set(request, ofRequest);
  const entries = ofRequest.get(key) ?? [];
  ofRequest.set(key, entries);
  return entries;
}

/**
 * A deployment is known by its stack resource: the CLI makes one for each process, and the Automation API one for
 * each inline program, so a later deployment in the same process asks again, and those at the same time do not
 * share.
 */
const caches = new WeakMap<pulumi.Resource, ResponseCache>();

/** Without a stack resource, as in unit tests, nobody can tell where a deployment ends. */
const outsideOfDeployments = new ResponseCache(false);

/** The responses of the current deployment. To be called before anything is awaited. */
export function currentResponses(): ResponseCache {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined) return outsideOfDeployments;
  const cache = caches.get(stack) ?? new ResponseCache(true);
  caches.set(stack, cache);
  return cache;
}
