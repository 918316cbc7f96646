import { annotationAt } from "../../cli/terminal/annotation.js";
import { EXIT } from "../../cli/terminal/command.js";
import { readText } from "../../cli/terminal/files.js";
import { json, note, result } from "../../cli/terminal/terminal.js";
import {
  documentsIn,
  grammar,
  namesIn,
  problemOfYaml,
  remarksOn,
  type StepRemark,
  valueOfYaml,
} from "../../provider/for-commands/kinds.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { counted } from "../../shared/messages/nouns.js";
import { STEP_CODES } from "../../shared/protocol/message-codes.js";
import { readExisting, type Where } from "./existing.js";

export interface Flags extends Where {
  readonly json: boolean;
}

export async function run(names: readonly string[], flags: Flags): Promise<number> {
  if (flags.cluster !== undefined && flags.pipeline !== undefined)
    throw new Error("A pipeline knows its cluster: give --cluster or --pipeline, not both.");
  const files = await Promise.all(
    names.map(async (file) => ({ file, texts: documentsIn(await readText(file)) })),
  );
  const documents = files.flatMap(({ file, texts }) => texts.map((text, index) => ({ file, text, index })));
  const { candidates, notChecked } = await readExisting(
    documents.flatMap(({ text }) => namesIn(text, grammar)),
    flags,
  );
  const look = async (kind: string) => candidates.get(kind);
  const all = await Promise.all(
    documents.map(async ({ file, text, index }) =>
      [
        ...(index > 0 ? [another(text)] : []),
        ...mistakesIn(text),
        ...(await remarksOn(text, grammar, look, true)),
      ].map(({ place, line = 1, words, code, isRejected }) => ({
        file,
        line,
        place,
        message: place === "" ? words : `${place}: ${words}`,
        code,
        rejected: isRejected,
      })),
    ),
  );
  const remarks = all.flat();
  if (flags.json) result(json({ remarks, notChecked }));
  else {
    for (const { file, line, message } of remarks) result(`${visible(`${file}:${line}: ${message}`)}\n`);
    if (process.env.GITHUB_ACTIONS)
      for (const { file, line, message, rejected } of remarks)
        result(annotationAt(file, line, rejected ? "danger" : "caution", message));
  }
  for (const words of notChecked) note(words);
  const rejected = remarks.filter((one) => one.rejected).length;
  note(
    `${counted(files.length, "file")} checked: ${counted(remarks.length, "remark")}` +
      (rejected > 0 ? `, ${rejected} about steps that Buildkite rejects.` : "."),
  );
  return rejected > 0 ? EXIT.found : EXIT.clean;
}

/** Remarks that a text is not the first document of its file. */
function another(text: string): StepRemark {
  const words =
    "begins another YAML document. The agent uploads each document by itself; before version 3.99, it uploaded only the first one.";
  return { place: "", line: text.search(/[^\n]/) + 1, words, code: STEP_CODES.form, isRejected: false };
}

/** Parsers of other tools take the last one of two equal keys, so that is no reason to reject a file. */
function mistakesIn(text: string): StepRemark[] {
  const problem = problemOfYaml(text);
  if (typeof problem !== "object" || !("excerpt" in problem)) return [];
  const { words, line, excerpt } = problem;
  const isRejected = valueOfYaml(text) === undefined;
  const sentence = `${words}: ${JSON.stringify(excerpt)}.`;
  return [{ place: "", line, words: sentence, code: STEP_CODES.form, isRejected }];
}
