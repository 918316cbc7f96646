// Checks that tests which forbid words can fail. Part of `npm run check`. What `not.toContain`, `not.toMatch` and their
// kind forbid with a literal must be a text of the sources, or be in the test's own input: in its texts, in those of
// what it imports from `test`, or in recordings. Otherwise the test passes because nothing writes these words any longer.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { checkout } from "./checkout.mjs";

const FORBIDS = /^(?:toContain|toMatch|stringContaining|stringMatching)$/;
const TITLES = /^(?:test|it|describe)$/;

/** Where words may come from, beside `src`: of all tests, and of those in some folders. */
const RECORDINGS = "test/support/recorded/*.{json,jsonl}";
const OTHER_SOURCES = {
  tools: "tools/dev/**/*.mjs",
  examples: "{examples,templates}/**/{,.github/workflows/}*.{ts,yml,yaml,json,py,go}",
};
/** What only other programs write. */
const OTHER_PROGRAMS = [
  // A stack of Node's, and one of Python's.
  "Error: x\n    at main (file:///index.js:1:1)",
  "Traceback (most recent call last):",
  "error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl/record/ssl3_record.c:355:",
  "warning: using pulumi-resource-buildpipeline from $PATH at /usr/local/bin",
  // How a page or a picture would load something.
  '<script src="x"></script><style>@import "x"; body { background: url(x) }</style>',
].join("\n");

const [, , root = checkout] = process.argv;
const ours = textsIn("src/**/*.{ts,html}");
const others = Object.entries(OTHER_SOURCES).map(([folder, files]) => ({ folder, text: textsIn(files) }));
const recordings = textsIn(RECORDINGS);
/** @type {Map<string, ReturnType<typeof readTest>>} */
const tests = new Map();
let found = 0;
for (const file of globSync("test/**/*.ts", { cwd: root }).sort()) {
  const path = join(root, file);
  const { forbidden } = testAt(path);
  if (forbidden.length === 0) continue;
  const inputs = [...withImports(path)].map((one) => testAt(one).input);
  const beside = textsIn(join(relative(root, dirname(path)), "recorded/**/*.{json,jsonl}"));
  const own = others.filter(({ folder }) => file.startsWith(`test/${folder}/`)).map(({ text }) => text);
  const written = [ours, ...inputs, recordings, beside, ...own, OTHER_PROGRAMS];
  for (const { line, literal, pattern } of forbidden) {
    if (written.some((text) => pattern.test(text))) continue;
    found += 1;
    console.log(`${file}:${line}: nothing writes what ${literal} forbids: ${pattern}`);
  }
}
process.exitCode = found === 0 ? 0 : 1;

/** @param {string} files @returns {string} */
function textsIn(files) {
  return globSync(files, { cwd: root, exclude: (name) => name === "node_modules" })
    .map((file) => join(root, file))
    .map((path) => (/\.m?ts$|\.mjs$/.test(path) ? textsOf(parse(path), []) : readFileSync(path, "utf8")))
    .join("\n");
}

/** @param {string} path */
function parse(path) {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

/** @param {string} path */
function testAt(path) {
  const known = tests.get(path) ?? readTest(path);
  tests.set(path, known);
  return known;
}

/**
 * Reads what a test forbids, and its other texts.
 *
 * @param {string} path
 */
function readTest(path) {
  const source = parse(path);
  const calls = callsIn(source);
  const forbidding = calls.filter(({ expression }) => isForbidding(expression)).flatMap(argumentsOf);
  const titles = calls.filter(({ expression }) => isTitled(expression)).flatMap(argumentsOf);
  const forbidden = forbidding.flatMap((argument) => {
    const line = source.getLineAndCharacterOfPosition(argument.getStart()).line + 1;
    return patternsOf(argument).map((pattern) => ({ line, literal: argument.getText(), pattern }));
  });
  const imports = source.statements
    .filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => Object(moduleSpecifier).text)
    .filter((name) => name.startsWith("."))
    .map((name) => join(dirname(path), name.replace(/\.js$/, ".ts")))
    .filter((imported) => imported.startsWith(join(root, "test")) && existsSync(imported));
  return { forbidden, input: textsOf(source, [...forbidding, ...titles]), imports };
}

/** @param {string} path @param {Set<string>} seen */
function withImports(path, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const imported of testAt(path).imports) withImports(imported, seen);
  return seen;
}

/** @param {ts.Node} node @returns {ts.CallExpression[]} */
function callsIn(node) {
  const below = node.getChildren().flatMap(callsIn);
  return ts.isCallExpression(node) ? [node, ...below] : below;
}

/** @param {ts.CallExpression} call */
function argumentsOf({ arguments: [first] }) {
  return first === undefined ? [] : [first];
}

/** @param {ts.Expression} called Such as `expect(text).not.toContain`. */
function isForbidding(called) {
  return (
    ts.isPropertyAccessExpression(called) &&
    FORBIDS.test(called.name.text) &&
    ts.isPropertyAccessExpression(called.expression) &&
    called.expression.name.text === "not"
  );
}

/** @param {ts.Expression} called Such as `test` or `test.each(…)`, whose first argument is a title. */
function isTitled(called) {
  const [, name = ""] = /^(\w+)/.exec(called.getText()) ?? [];
  return TITLES.test(name) && !/\.(?:each|for|skipIf)$/.test(called.getText());
}

/** @param {ts.Expression} argument @returns {RegExp[]} Each of them must be found. None if it is no literal. */
function patternsOf(argument) {
  if (ts.isStringLiteralLike(argument)) {
    return [new RegExp(argument.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))];
  }
  if (!ts.isRegularExpressionLiteral(argument)) return [];
  const [, body = "", flags = ""] = /^\/(.*)\/(\w*)$/s.exec(argument.text) ?? [];
  return alternativesOf(body).map((one) => new RegExp(one, flags.includes("m") ? flags : `${flags}m`));
}

/** @param {string} pattern @returns {string[]} */
function alternativesOf(pattern) {
  const all = [""];
  let depth = 0;
  for (const [part] of pattern.matchAll(/\\.|\[(?:\\.|[^\]])*\]|./gs)) {
    if (part === "(") depth += 1;
    if (part === ")") depth -= 1;
    if (part === "|" && depth === 0) all.push("");
    else all[all.length - 1] += part;
  }
  return all;
}

/** @param {ts.Node} node @param {readonly ts.Node[]} without @returns {string} its texts and names of properties */
function textsOf(node, without) {
  /** @type {string[]} */
  const texts = [];
  /** @param {ts.Node} one */
  const visit = (one) => {
    if (without.includes(one)) return;
    if (ts.isStringLiteralLike(one) || ts.isTemplateLiteralToken(one) || isProperty(one))
      texts.push(one.text);
    if (ts.isRegularExpressionLiteral(one)) texts.push(one.text);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return texts.join("\n");
}

/** @param {ts.Node} node @returns {node is ts.Identifier} */
function isProperty(node) {
  const { parent } = node;
  return (
    ts.isIdentifier(node) &&
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isShorthandPropertyAssignment(parent)) &&
    parent.name === node
  );
}
