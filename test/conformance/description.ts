import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { shapeOf } from "./operations.js";
import type { WireAnswer } from "./traffic.js";

export type Json = Readonly<Record<string, unknown>>;

export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Where it is in the description. */
  readonly pointer: readonly string[];
  readonly json: Json;
}

/** The emulator's OpenAPI description, and answers and bodies held against it. */
export class Description {
  readonly json: Json;
  readonly #ajv: Ajv2020;

  constructor(json: Json) {
    this.json = json;
    // OpenAPI has keywords beside those of JSON Schema; a description is not wrong for having them.
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(json, "openapi.json");
  }

  static async of(baseUrl: string): Promise<Description> {
    return new Description(asObject(await (await fetch(`${baseUrl}/openapi.json`)).json()));
  }

  operations(): DescribedOperation[] {
    return Object.entries(asObject(this.json.paths)).flatMap(([path, methods]) =>
      Object.entries(asObject(methods)).map(([method, operation]) => ({
        id: String(asObject(operation).operationId),
        method: method.toUpperCase(),
        path,
        pointer: ["paths", path, method],
        json: asObject(operation),
      })),
    );
  }

  operation(id: string): DescribedOperation {
    const found = this.operations().find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`The description has no operation ${id}.`);
    return found;
  }

  /** @throws when the answer is not one that the description allows. */
  checkAnswer({ method, target, status, body }: WireAnswer): void {
    const [path = ""] = target.split("?");
    const operation = this.operations().find(
      (candidate) => candidate.method === method && matches(candidate.path, path),
    );
    if (operation === undefined) throw new Error(`The description has no ${method} ${path}.`);
    const problem = this.problemOfAnswer(operation.id, status, body);
    if (problem !== undefined) throw new Error(`${operation.id} answered ${status}: ${problem}`);
  }

  /** What is wrong with an answer; undefined when nothing is. */
  problemOfAnswer(id: string, status: number, body: unknown): string | undefined {
    const pointer = [...this.operation(id).pointer, "responses", String(status)];
    const response = find(this.json, pointer);
    if (response === undefined) return "this status is not described";
    if (response.content === undefined) return body === undefined ? undefined : "there should be no body";
    return this.#problem([...pointer, "content", "application/json", "schema"], body);
  }

  problemOfBody(id: string, body: unknown): string | undefined {
    const pointer = [...this.operation(id).pointer, "requestBody", "content", "application/json"];
    if (find(this.json, pointer) === undefined)
      return body === undefined ? undefined : "no body is described";
    return this.#problem([...pointer, "schema"], body);
  }

  #problem(pointer: readonly string[], value: unknown): string | undefined {
    const steps = pointer.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")));
    const validate: ValidateFunction | undefined = this.#ajv.getSchema(`openapi.json#/${steps.join("/")}`);
    if (validate === undefined) throw new Error(`There is no schema at ${pointer.join(" / ")}.`);
    if (validate(value)) return undefined;
    return this.#ajv.errorsText(validate.errors, { dataVar: "body" });
  }
}

/** An object; anything else is a failure of the test. */
export function asObject(value: unknown): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`Not an object: ${JSON.stringify(value)}`);
  // An object's own keys are text, its values unknown: that is what Json says.
  return value as Json;
}

function find(value: Json, path: readonly string[]): Json | undefined {
  let current: unknown = value;
  for (const step of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return asObject(current);
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${shapeOf(template).replaceAll("{}", "[^/]+")}$`).test(path);
}
