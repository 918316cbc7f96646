import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** A text in the source that is long enough to be a message, or to need one around it. */
export interface Literal {
  readonly place: string;
  /** Its constant parts, with `…` where values go. */
  readonly text: string;
}

/** Folders and files whose texts are messages. Reports, drawings, the emulator's pages and `doctor` explain themselves. */
const MESSAGES =
  /^(?:provider|client|shared\/(?:configuration|process)|commands\/(?:adopt|import)|review\/drain|cli\/(?:inventory|workload|terminal|pulumi\/(?:stack-export|import-file))|(?:commands|review)\/[^/]+\/(?:command|text|folder|origin|faults)\.ts|review\/report\/run\.ts|commands\/[^/]+\.ts)/;

/** Texts that no message contains: words and programs of a language, descriptions, names of fields, texts of --help. */
const NO_MESSAGES =
  /^(?:commands\/adopt\/languages\/(?!all-languages\.)[\w-]+|cli\/terminal\/command|provider\/functions\/results\/entities)\.ts/;

/** What a change means for people, which a report says. */
const MEANINGS = /^(?:when|opens|opensInside|loses|stops|slows|notices)$/;

/** Commander's methods, whose texts are the command's help. */
const HELP = /^(?:description|option|requiredOption|argument|addHelpText|summary)$/;

const FEWEST_WORDS = 5;

/** Lists the texts of the source that are messages: at least five words, and no help. */
export function messageLiterals(checkout: string): Literal[] {
  const files = readdirSync(join(checkout, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && MESSAGES.test(file) && !NO_MESSAGES.test(file))
    .sort();
  return files.flatMap((file) => literalsOf(file, readFileSync(join(checkout, "src", file), "utf8")));
}

function literalsOf(file: string, text: string): Literal[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isMeaning(node)) return;
    const literal = textOf(node);
    const helped = commandOf(node);
    if (helped !== undefined) visit(helped);
    else if (literal === undefined || wordsIn(literal) < FEWEST_WORDS) ts.forEachChild(node, visit);
    // Help and commands to copy begin like the first ones, and the others are lists of the API's names.
    else if (!/^(?:\n|import |pulumi |for p in )|^[a-z_ ]+_[a-z ]+_[a-z_ ]+$/.test(literal)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ place: `src/${file}:${line + 1}`, text: literal });
    }
  };
  visit(source);
  return found;
}

function isMeaning(node: ts.Node): boolean {
  return ts.isCallExpression(node)
    ? MEANINGS.test(node.expression.getText())
    : ts.isPropertyAssignment(node) && /^(?:review|rest|unread|todo)$/.test(node.name.getText());
}

/** The command or option to which a call adds a text of the help. */
function commandOf(node: ts.Node): ts.Node | undefined {
  if (ts.isNewExpression(node)) return node.expression.getText() === "Option" ? node.expression : undefined;
  if (ts.isCallExpression(node) && /^\w+Option$/.test(node.expression.getText())) return node.expression;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  return HELP.test(name.text) ? expression : undefined;
}

/** The constant text of a literal, of a template, and of a sum of them. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(
      ({ expression, literal }) => (textOf(expression) ?? "…") + literal.text,
    );
    return node.head.text + spans.join("");
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? "…") + (right ?? "…");
}

function wordsIn(text: string): number {
  return text.match(/[A-Za-z]{2,}[,;:.]?(?= |$)/g)?.length ?? 0;
}
