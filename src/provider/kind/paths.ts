/** Returns the arguments that paths of the option `ignoreChanges` are about: the first part of each. */
export function argumentsOfPaths(paths: unknown): ReadonlySet<string> {
  const texts = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  return new Set(texts.map((path) => path.replace(/^\["([^"]+)"\].*$/, "$1").replace(/[.[].*$/, "")));
}
