import type { State } from "../../cli/pulumi/state.js";

/** A line of a program. */
export interface Source {
  /** From the project's folder. */
  readonly file: string;
  readonly line: number;
}

/**
 * Returns the line that Pulumi recorded for a resource: in a file of the program or of a component beside it. In a
 * callback, in a component of a package, or in code that a text is evaluated as, that is the line which calls it.
 */
export function sourceOf(state: State | undefined): Source | undefined {
  for (const { sourcePosition = "" } of [state ?? {}, ...(state?.stackTrace ?? [])]) {
    const [, path, line] = /^project:\/\/\/(.+)#(\d+)(?:,\d+)?$/.exec(sourcePosition) ?? [];
    if (path === undefined || /(?:^|\/)node_modules\//.test(path)) continue;
    try {
      const file = decodeURIComponent(path);
      // The place of evaluated code, which V8 gives no file.
      if (!file.includes("<anonymous>")) return { file, line: Number(line) };
    } catch {
      // Not what Pulumi writes.
    }
  }
  return undefined;
}
