import { stripVTControlCharacters } from "node:util";
import * as z from "zod";

/** A message of the engine, the program or the provider. */
export interface Diagnostic {
  readonly severity: string;
  readonly message: string;
}

export const diagnosticSchema = z.object({ severity: z.string(), message: z.string() });

const WARNING = "warning: ";

/**
 * Returns the messages in a diagnostic. The engine takes what the process of a dynamic provider writes to standard error
 * for information, lines that begin with `warning: ` among it.
 */
export function messagesOf({ severity, message }: Diagnostic): Diagnostic[] {
  if (severity !== "info#err") return [{ severity, message: plain(message) }];
  return plain(message)
    .split("\n")
    .map((line) =>
      line.startsWith(WARNING)
        ? { severity: "warning", message: line.slice(WARNING.length) }
        : { severity, message: line },
    );
}

/** Without the engine's color marks, `<{%reset%}>`, and those of terminals. */
function plain(message: string): string {
  return stripVTControlCharacters(message.replaceAll(/<\{%[^%]*%\}>/g, "")).trim();
}

const printedSchema = z.object({ diagnostics: z.array(diagnosticSchema).nullish() });

/** Returns the errors that `pulumi preview --json` printed before it failed. None if it printed no JSON. */
export function errorsIn(printed: string): string[] {
  try {
    const diagnostics = printedSchema.parse(JSON.parse(printed)).diagnostics ?? [];
    return diagnostics
      .flatMap(messagesOf)
      .filter(({ severity }) => severity === "error")
      .map(({ message }) => message);
  } catch {
    // It ended before it had anything to print.
    return [];
  }
}
