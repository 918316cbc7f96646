/**
 * Says how many histories a test plays: `HISTORIES=10000` plays more, which are new ones. What a failure prints plays the
 * same again: `HISTORIES_SEED=… HISTORIES_PATH=… npm test -- fast histories`.
 *
 * @param usual how many every run plays, the same ones by their seed
 */
export function counted(usual: number, seed: number) {
  const { HISTORIES, HISTORIES_SEED, HISTORIES_PATH } = process.env;
  return {
    count: Number(HISTORIES ?? usual),
    replay: {
      seed: Number(HISTORIES_SEED ?? (HISTORIES === undefined ? seed : Date.now() | 0)),
      ...(HISTORIES_PATH !== undefined && { path: HISTORIES_PATH }),
    },
  };
}
