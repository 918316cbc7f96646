/**
 * Whether a version is another one or later. Not so when either cannot be read.
 *
 * @param {string} version e.g. `v3.259.0` @param {string} least e.g. `3.254.0`
 */
export function isAtLeast(version, least) {
  const numbers = (/** @type {string} */ text) =>
    text.replace(/^v/, "").split(/[.+-]/).slice(0, 3).map(Number);
  const [own, wanted] = [numbers(version), numbers(least)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (own[index] ?? 0) - (wanted[index] ?? 0);
    if (Number.isNaN(difference)) return false;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
