/**
 * `npm test` plays one of so many cases of what takes long: other ones in each commit. A prime meets all columns of a
 * table in turn.
 */
const EACH = 23;

/** Of a table of tests, `npm test` plays one row in so many. */
const EACH_ROW = 4;

/** Whether every case runs: in `npm test -- whole`, which CI runs. */
export const isWhole = process.env.CASES === "all";

/** Whether tables of tests are played in part as well: in `npm test` where no path says what to test. */
export const isShort = process.env.CASES === "few";

/** Chooses the cases and the random values: a number of the commit, unless the variable says another. */
export const seed = Number(process.env.SEED ?? 0) | 0;

/** Which part of the cases runs. */
export const part = isWhole ? 0 : (seed >>> 0) % EACH;

/** Returns how many random cases to play. */
export const cases = (count: number): number => (isWhole ? count : Math.ceil(count / EACH));

/** Returns the rows of a table to play, at least one. Another turn plays other rows. */
export const someOf = <const Row>(rows: readonly Row[], turn = 0): readonly Row[] => {
  const each = Math.min(EACH, rows.length);
  return isWhole ? rows : rows.filter((_, index) => (index + turn + part) % each === 0);
};

/** Returns the rows to play of a table of tests with this title: not the same ones in all tables. */
export const rowsOf = <Row>(title: string, rows: readonly Row[], turn = seed): readonly Row[] => {
  if (rows.length < EACH_ROW) return rows;
  const first = [...title].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), turn >>> 0);
  return rows.filter((_, index) => (index + first) % EACH_ROW === 0);
};
