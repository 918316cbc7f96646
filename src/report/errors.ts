/** Errors that differ only in the object that they are about. */
export interface ErrorGroup {
  readonly message: string;
  /** How many others read the same. */
  readonly more: number;
}

/** The engine's last words repeat that there were errors. */
const ENDING = /^(?:error: )?(?:preview|refresh|update) failed$/i;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Puts errors together that differ only in ids and paths. */
export function groupedErrors(errors: readonly string[]): ErrorGroup[] {
  const telling = errors.filter((error) => !ENDING.test(error.trim()));
  const groups = Map.groupBy(telling.length > 0 ? telling : errors, (error) =>
    error.replace(/\/v2\/\S+/g, "…").replace(UUID, "…"),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ message: first.replace(/^(?:error: |Preview failed: )+/, ""), more: others.length }],
  );
}
