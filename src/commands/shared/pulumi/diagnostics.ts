import { stripVTControlCharacters } from "node:util";
import * as z from "zod";

/** A message of the engine, the program or the provider. */
export interface Diagnostic {
  readonly severity: string;
  readonly message: string;
}

const WARNING = "warning: ";

/** The messages in a diagnostic, without colors. */
export const diagnosticSchema = z.object({ severity: z.string(), message: z.string() }).transform(messagesOf);

/**
 * Returns the messages in a diagnostic. The engine takes what the process of a dynamic provider writes to standard error
 * for information, lines that begin with `warning: ` among it.
 */
function messagesOf({ severity, message }: Diagnostic): Diagnostic[] {
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
