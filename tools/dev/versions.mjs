/**
 * Whether a version is another one or later. Not so if it cannot be read.
 *
 * @param {string} version e.g. `v3.259.0` @param {string} least e.g. `3.254.0`
 */
export function isAtLeast(version, least) {
  const [number] = /(?<=^v?)\d+\.\d+\.\d+/.exec(version) ?? [];
  return number !== undefined && number.localeCompare(least, "en", { numeric: true }) >= 0;
}
