export type Properties = Record<string, unknown>;

export interface Resource {
  readonly name: string;
  readonly kind: string;
  /** Value of the option `ignoreChanges`. The engine itself keeps the inputs. */
  readonly ignores?: readonly string[];
}

/** What a provider says about a change; `changed` is undefined where the engine is to compare the inputs. */
export interface Difference {
  readonly changed: boolean | undefined;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** One provider process, as the engine calls it. Properties are what the engine would keep in its state. */
export interface Backend {
  /** Whether Pulumi itself carries out the option `import`; otherwise it is an input. */
  readonly enginesImport: boolean;
  readonly messages: readonly string[];
  check(
    resource: Resource,
    olds: Properties,
    news: Properties,
  ): Promise<{
    inputs: Properties;
    failures: readonly string[];
    /** The property that each failure names. The engine prints its value. */
    properties: readonly string[];
  }>;
  diff(
    resource: Resource,
    id: string,
    outs: Properties,
    news: Properties,
    oldInputs: Properties,
  ): Promise<Difference>;
  /** @throws an {@link InitializationError} when the object exists but is not finished */
  create(resource: Resource, inputs: Properties): Promise<{ id: string; outs: Properties }>;
  /** @returns id "" when the object does not exist */
  read(
    resource: Resource,
    id: string,
    outs: Properties,
    inputs: Properties,
  ): Promise<{ id: string; outs: Properties; inputs: Properties }>;
  update(
    resource: Resource,
    id: string,
    outs: Properties,
    news: Properties,
    oldInputs: Properties,
  ): Promise<Properties>;
  delete(resource: Resource, id: string, outs: Properties, oldInputs: Properties): Promise<void>;
}

/** An object exists, but not everything that belongs to it was done. The engine keeps it. */
export class InitializationError extends Error {
  constructor(
    readonly id: string,
    readonly outs: Properties,
    message: string,
  ) {
    super(message);
  }
}

/** What the engine gets of failures. */
export function failed(failures: readonly { readonly property: string; readonly reason: string }[]) {
  return {
    failures: failures.map(({ reason }) => reason),
    properties: failures.map(({ property }) => property),
  };
}

const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Properties with secrets in plain text. @throws where `undefined` would reach the engine */
export function plain(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: unknown): unknown {
  if (value === undefined) throw new Error("Unexpected struct type: undefined reached the engine");
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  if (Object.hasOwn(value, SIGNATURE)) return plainValue(Reflect.get(value, "value"));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, plainValue(entry)]));
}

export function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, SIGNATURE);
}
