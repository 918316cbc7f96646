import type * as pulumi from "@pulumi/pulumi";
import type { BuildPipelineClient } from "../../../client/index.js";
import type { Settings } from "../../../shared/configuration/settings.js";
import { perDeployment } from "../../program/deployment.js";

/** A read of the service. Declared once for each module: the function itself is part of the cache's key. */
export type Request<Parameters extends readonly unknown[], Response> = (
  client: BuildPipelineClient,
  ...parameters: Parameters
) => Promise<Response>;

/** Resources that were deployed when a request was sent. */
export type Resources = ReadonlySet<pulumi.Resource>;

interface Entry {
  readonly request: unknown;
  readonly parameters: string;
  readonly after: Resources;
  readonly response: Promise<unknown>;
}

/** Responses of the service to one client, so that equal reads send one request. */
export class ResponseCache {
  readonly #entries = new Set<Entry>();
  #client: Promise<BuildPipelineClient> | undefined;

  /** @param keeps whether a response outlives the functions that wait for it */
  constructor(
    private readonly connect: () => Promise<BuildPipelineClient>,
    private readonly keeps: boolean,
  ) {}

  /**
   * Sends a request, or returns the response there is. A response from before one of the resources in `after` was
   * deployed does not count: it may be about that resource. A failure is not kept.
   */
  get<Parameters extends readonly unknown[], Response>(
    request: Request<Parameters, Response>,
    given: Parameters,
    after: Resources,
  ): Promise<Response> {
    const parameters = JSON.stringify(given);
    for (const entry of this.#entries) {
      const isEqual = entry.request === request && entry.parameters === parameters;
      // The request is the same, so its response is of the request's type.
      if (isEqual && [...after].every((each) => entry.after.has(each)))
        return entry.response as Promise<Response>;
    }
    this.#client ??= this.connect();
    const response = this.#client.then((client) => request(client, ...given));
    const entry: Entry = { request, parameters, after, response };
    this.#entries.add(entry);
    const forget = () => void this.#entries.delete(entry);
    response.then(this.keeps ? undefined : forget, forget);
    return response;
  }
}

/** Returns the caches of a deployment, one for each address, organization and access token. */
function newCaches(keeps: boolean): (settings: Settings) => ResponseCache {
  const caches = new Map<string, ResponseCache>();
  return (settings) => {
    const key = JSON.stringify([settings.baseUrl, settings.organization, settings.accessToken]);
    const cache = caches.get(key) ?? new ResponseCache(() => connect(settings), keeps);
    caches.set(key, cache);
    return cache;
  };
}

/** Loads the client here and not above: a program without functions needs none, and would pay 100 ms for it. */
async function connect(settings: Settings): Promise<BuildPipelineClient> {
  const { BuildPipelineClient } = await import("../../../client/index.js");
  return new BuildPipelineClient(settings);
}

/** Without a stack resource, as in unit tests, the end of a deployment is unknown. */
const outsideOfDeployments = newCaches(false);

/** A later deployment in the same process reads again, and parallel ones share nothing. */
export const currentCaches = perDeployment((stack) =>
  stack === undefined ? outsideOfDeployments : newCaches(true),
);
