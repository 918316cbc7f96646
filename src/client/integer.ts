// setTimeout takes no more than 31 bits and would fire at once.
const MOST = 2 ** 31 - 1;

/** Describes why an option's value isn't a whole number in its range; undefined if it is one. */
export function integerProblem(value: number, least: number): string | undefined {
  if (Number.isSafeInteger(value) && value >= least && value <= MOST) return undefined;
  return `must be a whole number from ${least} to ${MOST}`;
}
