const collator = new Intl.Collator("en", { numeric: true });

/** Compares names as people sort them, 2 before 10, and alike on machines of every language. */
export function alphabetically(one: string, other: string): number {
  return collator.compare(one, other);
}
