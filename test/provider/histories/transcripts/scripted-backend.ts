import { createRequire } from "node:module";
import {
  type Backend,
  type Difference,
  InitializationError,
  type Properties,
  type Resource,
} from "../engine/backend.js";

/** A call as it is recorded: its name and its arguments. */
export type Call = readonly unknown[];

interface Scripted {
  check(olds: Properties, news: Properties): { inputs?: Properties; failures?: { reason: string }[] };
  diff(
    id: string,
    outs: Properties,
    news: Properties,
  ): { changes?: boolean; replaces?: string[]; deleteBeforeReplace?: boolean };
  create(inputs: Properties): { id: string; outs: Properties };
  read(id: string, outs: Properties): { id: string; props: Properties; inputs?: Properties };
  update(id: string, outs: Properties, news: Properties): { outs: Properties };
  delete(id: string, outs: Properties): void;
}

const { scripted }: { scripted(report: (...call: Call) => void): Scripted } =
  createRequire(__filename)("./scripted-provider.cjs");

/** The scripted provider, as the model engine calls it. */
export class ScriptedBackend implements Backend {
  readonly enginesImport = false;
  readonly messages: string[] = [];
  readonly #provider: Scripted;

  constructor(calls: Call[]) {
    this.#provider = scripted((...call) => calls.push(JSON.parse(JSON.stringify(call))));
  }

  async check(_: Resource, olds: Properties, news: Properties) {
    const { inputs = {}, failures = [] } = this.#provider.check(olds, news);
    return { inputs, failures: failures.map(({ reason }) => reason) };
  }

  async diff(_: Resource, id: string, outs: Properties, news: Properties): Promise<Difference> {
    const { changes, replaces = [], deleteBeforeReplace = false } = this.#provider.diff(id, outs, news);
    return { changed: changes, replaces, deleteBeforeReplace };
  }

  async create(_: Resource, inputs: Properties) {
    try {
      return this.#provider.create(inputs);
    } catch (error) {
      if (!(error instanceof Error && "id" in error && "properties" in error)) throw error;
      throw new InitializationError(String(error.id), { ...Object(error.properties) }, error.message);
    }
  }

  async read(_: Resource, id: string, outs: Properties) {
    const { id: found, props, inputs = {} } = this.#provider.read(id, outs);
    return { id: found, outs: props, inputs };
  }

  async update(_: Resource, id: string, outs: Properties, news: Properties) {
    return this.#provider.update(id, outs, news).outs;
  }

  async delete(_: Resource, id: string, outs: Properties) {
    this.#provider.delete(id, outs);
  }
}

/**
 * Calls in an order that is the same in every run. What does not depend on each other is worked on at the same time, and
 * so is everything that a refresh reads: then the calls of each resource count, and the order of deletions.
 */
export function normalized(isParallel: boolean, command: string, calls: readonly Call[]): Call[] {
  if (!isParallel && command !== "refresh") return [...calls];
  const deletions = calls.filter(([name]) => name === "delete");
  const others = calls.filter(([name]) => name !== "delete");
  const byResource = (one: Call, other: Call) => resourceOf(one).localeCompare(resourceOf(other));
  // Things that refer to the same one are deleted in one layer.
  const layers = deletions.sort((one, other) =>
    referenceIn(one) === referenceIn(other) ? byResource(one, other) : 0,
  );
  return [...others.sort(byResource), ...layers];
}

/** The key of the resource that a call is about, as far as it shows. */
function resourceOf(call: Call): string {
  const keys = call.flatMap((value) =>
    typeof value === "object" && value !== null && "key" in value ? [String(value.key)] : [],
  );
  return keys.at(-1) ?? "";
}

function referenceIn([, , outs]: Call): unknown {
  return typeof outs === "object" && outs !== null && "of" in outs ? outs.of : undefined;
}
