import * as pulumi from "@pulumi/pulumi";
import type { BuildPipelineClient } from "../../client/index.js";
import type { Settings } from "../../configuration/settings.js";
import type { Request, RequestPart } from "./request.js";

/**
 * Answers last as long as one run of a program. A run is known by its stack resource: the CLI makes one for each
 * process, and the Automation API one for each inline program, so a later run in the same process asks anew, and
 * runs at the same time do not meet.
 *
 * Without a stack resource, as in unit tests with mocks, nobody can tell where a run ends: then an answer is shared
 * only by those who wait for it at the same time.
 */
const runs = new WeakMap<object, Run>();

/** The run that is going on. To be asked before anything is awaited. */
export function currentRun(): Run {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined) return outsideOfRuns;
  let run = runs.get(stack);
  if (run === undefined) {
    run = new Run(true);
    runs.set(stack, run);
  }
  return run;
}

/** Resources that were there when a question was asked. */
export type Resources = ReadonlySet<pulumi.Resource>;

interface Asked {
  readonly after: Resources;
  readonly answer: Promise<unknown>;
}

/** One run of a program: what it asked so far, by settings. */
export class Run {
  readonly #remembers: boolean;
  readonly #services = new Map<string, Service>();

  constructor(remembers: boolean) {
    this.#remembers = remembers;
  }

  /** The service as these settings reach it. */
  service(settings: Settings): Service {
    const { accessToken, baseUrl, organization } = settings;
    const key = JSON.stringify([accessToken, baseUrl, organization]);
    let service = this.#services.get(key);
    if (service === undefined) {
      service = new Service(settings, this.#remembers);
      this.#services.set(key, service);
    }
    return service;
  }
}

const outsideOfRuns = new Run(false);

/** The service, asked through one client that is loaded with the first question. */
export class Service {
  readonly #settings: Settings;
  readonly #remembers: boolean;
  readonly #asked = new Map<string, Asked[]>();
  #client: Promise<BuildPipelineClient> | undefined;

  constructor(settings: Settings, remembers: boolean) {
    this.#settings = settings;
    this.#remembers = remembers;
  }

  get organization(): string {
    return this.#settings.organization;
  }

  /**
   * Asks, or gives the answer there is already. An answer from before one of the resources in `after` was there
   * does not count: it may be about that resource. A failure is not kept.
   */
  ask<Parts extends readonly RequestPart[], Answer>(
    request: Request<Parts, Answer>,
    parts: Parts,
    after: Resources,
  ): Promise<Answer> {
    const key = JSON.stringify([request.id, ...parts]);
    const others = this.#asked.get(key) ?? [];
    const known = others.find((asked) => [...after].every((resource) => asked.after.has(resource)));
    // A request's id stands for one question, so an answer under its key is of its type.
    if (known !== undefined) return known.answer as Promise<Answer>;
    const answer = this.#connect().then((client) => request.send(client, ...parts));
    const asked: Asked = { after, answer };
    this.#asked.set(key, [...others, asked]);
    const forget = () => {
      const rest = (this.#asked.get(key) ?? []).filter((other) => other !== asked);
      if (rest.length > 0) this.#asked.set(key, rest);
      else this.#asked.delete(key);
    };
    answer.then(this.#remembers ? undefined : forget, forget);
    return answer;
  }

  #connect(): Promise<BuildPipelineClient> {
    // Loaded here and not above: a program without lookups needs no HTTP client, and would pay 100 ms for it.
    this.#client ??= import("../../client/index.js").then(
      ({ BuildPipelineClient }) => new BuildPipelineClient(this.#settings),
    );
    return this.#client;
  }
}
