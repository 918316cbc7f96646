/** The parameters of a request, with the spellings clients use: `state=a`, `state[]=a&state[]=b`, `meta_data[key]=v`. */
export class Query {
  /** As it was sent, without `?`. */
  readonly text: string;
  readonly #parameters: URLSearchParams;

  constructor(text: string) {
    this.text = text;
    this.#parameters = new URLSearchParams(text);
  }

  /** Returns the value of a parameter that comes once; the last one when it comes more often. */
  one(name: string): string | undefined {
    return this.#parameters.getAll(name).at(-1);
  }

  /** Returns all values of a parameter, in either spelling; empty ones do not count. */
  all(name: string): string[] {
    return [...this.#parameters.getAll(name), ...this.#parameters.getAll(`${name}[]`)].filter(
      (value) => value !== "",
    );
  }

  entries(name: string): [key: string, value: string][] {
    const entries: [string, string][] = [];
    for (const [parameter, value] of this.#parameters) {
      if (!parameter.startsWith(`${name}[`) || !parameter.endsWith("]")) continue;
      const key = parameter.slice(name.length + 1, -1);
      if (key !== "") entries.push([key, value]);
    }
    return entries;
  }

  /** Checks whether a parameter is given, and does not say no. */
  flag(name: string): boolean {
    const value = this.one(name);
    return value !== undefined && value !== "false" && value !== "0";
  }
}
