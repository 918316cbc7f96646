import { join } from "node:path";
import ts from "typescript";
import { CHECKOUT, optionsOf } from "./compiler.js";

/** What an editor shows about a name: its type, and its documentation. */
export interface Hover {
  readonly type: string;
  readonly documentation: string;
}

/** What can be asked about a program's places, each of which a comment with a question mark stands before. */
export interface Editor {
  /** What is shown about the name there. */
  hover(program: string): Hover[];
  /** What is offered there to be completed. */
  completions(program: string): string[][];
}

/** An editor in a project that has installed the package: it sees the built declarations, never the source. */
export function editor(): Editor {
  const options = optionsOf("tsconfig.build.json");
  const consumer = join(CHECKOUT, "consumer.ts");
  let program = "";
  let version = 0;
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, noEmit: true, rootDir: CHECKOUT }),
    getCurrentDirectory: () => CHECKOUT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [consumer],
    getScriptVersion: (file) => (file === consumer ? String(version) : "0"),
    getScriptSnapshot: (file) => {
      const text = file === consumer ? program : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (file) => file === consumer || ts.sys.fileExists(file),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  });

  const marks = (text: string): number[] => {
    program = text;
    version += 1;
    return [...program.matchAll(/\/\*\?\*\//g)].map(({ index, 0: mark }) => index + mark.length);
  };
  return {
    hover(text) {
      const places = marks(text);
      const problems = [
        ...service.getSyntacticDiagnostics(consumer),
        ...service.getSemanticDiagnostics(consumer),
      ];
      if (problems[0]) throw new Error(ts.flattenDiagnosticMessageText(problems[0].messageText, "\n"));
      return places.map((place) => {
        const info = service.getQuickInfoAtPosition(consumer, place);
        return {
          type: ts.displayPartsToString(info?.displayParts),
          documentation: ts.displayPartsToString(info?.documentation),
        };
      });
    },
    completions(text) {
      return marks(text).map((place) => {
        const completions = service.getCompletionsAtPosition(consumer, place, undefined);
        return completions?.entries.map(({ name }) => name) ?? [];
      });
    },
  };
}
