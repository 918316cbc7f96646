// @ts-nocheck: its packages are installed apart, by tools/prose.mjs.
// A textlint rule: how sentences are built here. Short, subject first, without the turns of phrase that follow.
import { split } from "sentence-splitter";

const MOST_WORDS = 25;

/** Openings and turns that a sentence does without, and the advice. Code stands as `x` in the text that they see. */
const TURNS = [
  [/^(?:What|Who|Whoever|Whatever|Whether)\b(?!.*\?$)/, "begin with the subject, then a verb"],
  [
    /[a-z`)] which (?:is|are|was|were|has|have|can|may|must|does|do)\b/,
    "“which” follows a comma; otherwise write “that”",
  ],
  [/, (?:too|say)[.,;:]/, "cut “too” or “say” at the end of a clause"],
  [
    /\b(?:is|are) no\b(?! (?:longer|more|different|later|lower))(?<!there (?:is|are) no)/i,
    "write “isn't a” or “has no”",
  ],
  [/\b(?:has|have) none\b/, "write “has no …”"],
];

/** Forms of "be" before a participle, as `--passive` counts them. It reports and forbids nothing. */
export const PASSIVE =
  /\b(?:am|is|are|was|were|be|been|being)\s+(?:not\s+|never\s+|only\s+)?(?:\w+ed|made|sent|given|taken|shown|known|set|read|written|found|kept|left|lost|told|held|done|seen|built|put|run|brought|meant|thrown|drawn)\b/gi;

export default function sentences({ Syntax, RuleError, getSource, report }, { mostWords = MOST_WORDS } = {}) {
  const check = (node) => {
    for (const { type, raw } of split(plain(getSource(node)))) {
      if (type !== "Sentence") continue;
      const words = raw.match(/[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu)?.length ?? 0;
      const quote = raw.length > 70 ? `${raw.slice(0, 70)}…` : raw;
      if (words > mostWords) report(node, new RuleError(`${words} words, at most ${mostWords}: ${quote}`));
      for (const [turn, advice] of TURNS) {
        if (turn.test(raw)) report(node, new RuleError(`${advice}: ${quote}`));
      }
    }
  };
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check };
}

/** The words of Markdown, without code, addresses and marks. @param {string} text */
export function plain(text) {
  return (
    text
      .replaceAll(/``.+?``|`[^`]*`|\{@link [^}]*\}/gs, "x")
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, "")
      .replaceAll(/\s+/g, " ")
      // A list of names is read as one.
      .replaceAll(/\bx(?:(?:, | and | or |, and |, or )x\b)+/g, "x")
  );
}
