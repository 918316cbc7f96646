/** The most reads of a list of several pages until two in a row agree. */
export const MOST_READS = 5;

/** What {@link readUntilSteady} asks about a read of a list. */
interface Questions<Read> {
  /** Checks whether one read is enough: it came in one page, or it has what the caller looks for. */
  readonly isEnough: (read: Read) => boolean;
  readonly ids: (read: Read) => readonly (string | undefined)[];
}

/**
 * Reads a list until two reads in a row agree. An object that leaves the list while its pages are read moves another
 * object to a page that was read already, and that object is missed. Such a read has an object that the next one lacks.
 * So two reads agree if the later one has all objects of the earlier one.
 *
 * @returns the last read, and whether it is enough or agrees with the one before
 */
export async function readUntilSteady<Read>(
  first: Read,
  readAgain: (earlier: Read) => Promise<Read>,
  { isEnough, ids }: Questions<Read>,
): Promise<{ readonly read: Read; readonly isSteady: boolean }> {
  let read = first;
  for (let reads = 1; reads < MOST_READS; reads++) {
    if (isEnough(read)) return { read, isSteady: true };
    const earlier = ids(read);
    read = await readAgain(read);
    const later = new Set(ids(read));
    if (earlier.every((id) => later.has(id))) return { read, isSteady: true };
  }
  return { read, isSteady: isEnough(read) };
}
