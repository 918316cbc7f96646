export function nearestName(name: string, known: readonly string[]): string | undefined {
  return similarNames(name, known)[0];
}

/** Returns what a mistyped name may mean, the most similar first. @param farthest the most characters that differ */
export function similarNames(
  name: string,
  names: readonly string[],
  farthest = Math.max(2, Math.floor(name.length / 3)),
): string[] {
  const plain = (text: string) => text.replaceAll(/[_-]/g, "").toLowerCase();
  const found = names.map((known) => ({ known, far: distance(plain(name), plain(known)) }));
  const near = found.filter(({ far }) => far <= farthest).sort((a, b) => a.far - b.far);
  return near.map(({ known }) => known);
}

/** Returns the Levenshtein distance: how many characters are to be inserted, removed or replaced. */
function distance(from: string, to: string): number {
  const target = [...to];
  // Each row: the distances of one more character of `from` to the first 0, 1, 2 … characters of `to`.
  let row = [0, ...target.map((_, index) => index + 1)];
  for (const character of from) {
    let [diagonal = 0] = row;
    let left = diagonal + 1;
    row = row.map((above, column) => {
      if (column === 0) return left;
      left = Math.min(diagonal + (character === target[column - 1] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
