import { documentOf, valueOfYaml } from "../../provider/for-commands/kinds.js";

/** A changed step, with its lines before and after; none where it is new or goes. Without a name: what stands around the steps. */
export interface StepChange {
  readonly name?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

interface Piece {
  readonly name: string | undefined;
  readonly lines: string;
}

/** More changed steps than this are shown as one text. */
const MOST_STEPS = 12;

/** Returns the steps that differ between two documents; undefined where lines can't be told apart by steps, or they moved. */
export function changedSteps(before: string, after: string): StepChange[] | undefined {
  const [old, next] = [piecesOf(before), piecesOf(after)];
  if (old === undefined || next === undefined) return undefined;
  const places = new Map(old.map(({ id }, index) => [id, index]));
  const pairs: (readonly [Piece | undefined, Piece | undefined])[] = [];
  let [done, made] = [0, 0];
  // What has no equal name between two steps that have one is the same step under another name.
  const pairUntil = (ofOld: number, ofNext: number) => {
    while (done < ofOld || made < ofNext)
      pairs.push([done < ofOld ? old[done++] : undefined, made < ofNext ? next[made++] : undefined]);
  };
  for (const [index, { id }] of next.entries()) {
    const place = places.get(id);
    if (place === undefined) continue;
    if (place < done) return undefined;
    pairUntil(place, index);
    pairUntil(place + 1, index + 1);
  }
  pairUntil(old.length, next.length);
  const changed = pairs.flatMap(([was, is]) =>
    was?.lines === is?.lines ? [] : [{ name: (is ?? was)?.name, before: was?.lines, after: is?.lines }],
  );
  return changed.length === 0 || changed.length > MOST_STEPS ? undefined : changed;
}

function piecesOf(text: string): (Piece & { readonly id: string })[] | undefined {
  const document = documentOf(text);
  const lines = text.split("\n");
  const starts: { readonly line: number; readonly name: string | undefined }[] = [
    { line: 0, name: undefined },
  ];
  /** Adds where the steps of a list begin, and where it ends. */
  const read = (path: readonly (string | number)[], steps: unknown, around: string | undefined): boolean => {
    if (!Array.isArray(steps)) return true;
    const areRead = steps.every((step: unknown, index) => {
      const own = [...path, index];
      const line = lineAt(text, document.getIn(own, true), 0);
      if (line === undefined || line <= (starts.at(-1)?.line ?? 0)) return false;
      const name = nameOf(step);
      starts.push({ line, name });
      return read([...own, "steps"], isMap(step) ? step.steps : undefined, name);
    });
    const end = lineAt(text, document.getIn(path, true), 2);
    if (!areRead || end === undefined) return false;
    starts.push({ line: Math.max(end, starts.at(-1)?.line ?? 0), name: around });
    return true;
  };
  const whole = valueOfYaml(text);
  if (!isMap(whole) || !Array.isArray(whole.steps) || !read(["steps"], whole.steps, undefined))
    return undefined;
  const counts = new Map<string | undefined, number>();
  return starts.flatMap(({ line, name }, index) => {
    const own = lines.slice(line, starts[index + 1]?.line).join("\n");
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return own.trim() === "" ? [] : [{ name, lines: own, id: JSON.stringify([name, count]) }];
  });
}

/** Returns the line on which a part of a document begins, or that follows its end. */
function lineAt(text: string, node: unknown, of: 0 | 2): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range))
    return undefined;
  const until = text.slice(0, Number(node.range[of]));
  return until.split("\n").length - (of === 2 && !until.endsWith("\n") ? 0 : 1);
}

/** Returns what people call a step: its key, its label or its first command. */
function nameOf(step: unknown): string | undefined {
  if (!isMap(step)) return typeof step === "string" ? step : undefined;
  const { key, label, name, group, block, input, trigger, command, commands } = step;
  const [first] = [key, label, name, group, block, input, trigger, command, commands]
    .flat()
    .filter((value) => typeof value === "string" && value !== "");
  return typeof first === "string" ? first.split("\n")[0] : Object.keys(step)[0];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
