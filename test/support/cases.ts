/** Whether every case runs: in `npm test -- whole`, which CI runs. */
export const isWhole = process.env.CASES === "all";

/** `npm test` plays one of so many cases of what takes long. A prime meets all columns of a table in turn. */
const EACH = 11;

/** Returns how many random cases to play. */
export const cases = (count: number): number => (isWhole ? count : Math.ceil(count / EACH));

/** Returns the rows of a table to play: the first one, and others after it. Another turn begins with another row. */
export const someOf = <const Row>(rows: readonly Row[], turn = 0): readonly Row[] =>
  isWhole ? rows : rows.filter((_, index) => (index + turn) % EACH === 0);
