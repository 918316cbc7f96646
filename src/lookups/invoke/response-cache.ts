import type * as pulumi from "@pulumi/pulumi";
import type { BuildPipelineClient } from "../../client/index.js";
import type { Settings } from "../../configuration/settings.js";
import { sdk } from "../../protocol/sdk.js";

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

/** Responses of the service to one client, so that equal reads send one request. */
export class ResponseCache {
  readonly #connect: () => Promise<BuildPipelineClient>;
  readonly #keeps: boolean;
  readonly #requests = new Map<unknown, Map<string, Entry[]>>();
  #client: Promise<BuildPipelineClient> | undefined;

  /** @param keeps whether a response outlives the functions that wait for it */
  constructor(connect: () => Promise<BuildPipelineClient>, keeps: boolean) {
    this.#connect = connect;
    this.#keeps = keeps;
  }

  /**
   * Sends a request, or returns the response there is. A response from before one of the resources in `after` was
   * deployed does not count: it may be about that resource. A failure is not kept.
   */
  get<Parameters extends readonly unknown[], Response>(
    request: Request<Parameters, Response>,
    parameters: Parameters,
    after: Resources,
  ): Promise<Response> {
    const entries = this.#entries(request, JSON.stringify(parameters));
    const usable = entries.find((entry) => [...after].every((resource) => entry.after.has(resource)));
    // The request is part of the key, so a response under it is of the request's type.
    if (usable !== undefined) return usable.response as Promise<Response>;
    this.#client ??= this.#connect();
    const response = this.#client.then((client) => request(client, ...parameters));
    const entry: Entry = { after, response };
    entries.push(entry);
    const forget = () => void entries.splice(entries.indexOf(entry), 1);
    response.then(this.#keeps ? undefined : forget, forget);
    return response;
  }

  #entries(request: unknown, key: string): Entry[] {
    const ofRequest = this.#requests.get(request) ?? new Map<string, Entry[]>();
    this.#requests.set(request, ofRequest);
    const entries = ofRequest.get(key) ?? [];
    ofRequest.set(key, entries);
    return entries;
  }
}

/** The caches of a deployment, one for each address, organization and access token. */
export class DeploymentResponses {
  readonly #keeps: boolean;
  readonly #caches = new Map<string, ResponseCache>();

  /** @param keeps as for a {@link ResponseCache} */
  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  /** Returns the cache for a client with these settings. */
  with(settings: Settings): ResponseCache {
    const key = JSON.stringify([settings.baseUrl, settings.organization, settings.accessToken]);
    const cache = this.#caches.get(key) ?? new ResponseCache(() => connect(settings), this.#keeps);
    this.#caches.set(key, cache);
    return cache;
  }
}

/** Loads the client here and not above: a program without functions needs none, and would pay 100 ms for it. */
async function connect(settings: Settings): Promise<BuildPipelineClient> {
  const { BuildPipelineClient } = await import("../../client/index.js");
  return new BuildPipelineClient(settings);
}

/**
 * The stack resource identifies a deployment. The CLI makes one for each process, and the Automation API one for each
 * inline program. So a later deployment in the same process reads again, and parallel ones share nothing.
 */
const deployments = new WeakMap<pulumi.Resource, DeploymentResponses>();

/** Without a stack resource, as in unit tests, the end of a deployment is unknown. */
const outsideOfDeployments = new DeploymentResponses(false);

/** Returns the responses of the current deployment. To be called before anything is awaited. */
export function currentResponses(): DeploymentResponses {
  const stack = sdk().runtime.getStackResource();
  if (stack === undefined) return outsideOfDeployments;
  const responses = deployments.get(stack) ?? new DeploymentResponses(true);
  deployments.set(stack, responses);
  return responses;
}
