// setTimeout takes no more than 31 bits and would fire at once.
const MOST = 2 ** 31 - 1;

/** What is wrong with the value of an option that must be a whole number; undefined when nothing is. */
export function integerProblem(value: number, least: number): string | undefined {
  if (Number.isSafeInteger(value) && value >= least && value <= MOST) return undefined;
  return `must be a whole number from ${least} to ${MOST}`;
}
