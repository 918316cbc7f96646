export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

export function capitalized(noun: string): string {
  const [first = "", ...rest] = noun;
  return first.toUpperCase() + rest.join("");
}

/** Returns a number of things: `1 resource`, `2 resources`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const LIST = new Intl.ListFormat("en-GB");

/** `a`, `a and b`, or `a, b and c`. */
export function enumerated(names: readonly string[]): string {
  return LIST.format(names);
}
