// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts look like code.
import fc from "fast-check";

/**
 * What the interpreters obey that a foreign text may reach: a name or description of the service, of a file, a folder,
 * a policy or the environment. Every foreign field of every output is tested with all of them.
 */
export const SPECIAL = {
  terminal: [
    "\u001b[31m",
    "\u001b[2J\u001b[H",
    "\u001b]0;title\u0007",
    "\u009b1m",
    "\b\b",
    "\u0000",
    "\u202e",
    "\u2066",
  ],
  "Pulumi's colors": ["<{%x%}>", "<{%fg 1%}>", "<{%reset%}>", "<{%", "%}>"],
  Markdown: [
    "\r# heading",
    "\n\n---\n",
    "](https://example.com)",
    "![a](b)",
    "`",
    "```\n",
    "|",
    "**",
    "\\",
    "@all",
    "[a]: b",
  ],
  HTML: ["<script>alert(1)</script>", '"><img src=x onerror=y>', "</details>", "<!--", "&lt;", "&#39;", "&"],
  SVG: ["]]>", "<![CDATA[", "</svg>", "<foreignObject>", "\u0001"],
  YAML: [
    ": ",
    "- ",
    " #",
    "*alias",
    "&anchor",
    "!!binary",
    "%YAML",
    "---\n",
    "\t",
    "~",
    "yes",
    "0o14",
    "{",
    "[",
  ],
  JSON: ['"', "\\u0041", "\\", "</script>", "__proto__"],
  shell: [
    "$(touch pwned)",
    "`touch pwned`",
    "${IFS}",
    "; touch pwned;",
    "&& x",
    "| x",
    "> x",
    "!x",
    "'",
    "-rf ",
    "~",
    "*",
  ],
  "templates of CI hosts": [
    "${{ github.token }}",
    "$$",
    "$BUILDKITE_BRANCH",
    "$[[ inputs.a ]]",
    "%PATH%",
    "{{ a }}",
  ],
  "workflow commands": [
    "::error::a",
    "\n::add-mask::a",
    "##[error]a",
    "##vso[task.complete]",
    "##teamcity[a]",
    "%0A",
  ],
  "programs as text": ["*/", "//", "#{a}", "%{a}", "%s", "$${a}", '"""'],
  "replacement strings": ["$&", "$`", "$'", "$1", "$<a>"],
  "character encodings": [
    "\ud83d",
    "\udc00",
    "\u2028",
    "\u2029",
    "\u0085",
    "\ufeff",
    "\uffff",
    "\u{e0001}",
    "😀",
    "e\u0301",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const specials: readonly string[] = Object.values(SPECIAL).flat();

/** How many of the first 0x10ffff numbers are halves of characters, and where they begin. */
const HALVES = 0x800;
const FIRST_HALF = 0xd800;

/** Any whole character. Before its first text, fast-check's own unit `binary` fills a map of all of them for a second. */
export const character = fc.integer({ min: 0, max: 0x10_ffff - HALVES }).map(
  (index) => String.fromCodePoint(index < FIRST_HALF ? index : index + HALVES),
  (text) => {
    const [only, ...others] = Array.from(String(text), (one) => one.codePointAt(0));
    if (only === undefined || others.length > 0) throw new Error("This isn't one character.");
    return only < FIRST_HALF ? only : only - HALVES;
  },
);

/** Any UTF-16 at all, among the signs that an interpreter obeys, and long runs of characters at any offset. */
export const foreignText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...specials) },
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.string({ unit: character, maxLength: 20 }),
      fc
        .tuple(fc.constantFrom("x", "😀", "\ud83d"), fc.integer({ min: 1, max: 600 }))
        .map(([character, times]) => character.repeat(times)),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text !== "");

/**
 * What a text must not contain that Pulumi's engine shows: it would move a terminal's cursor, hide or turn text, be a
 * command to a CI system, or a color mark, with which the CLI panics.
 */
export const OBEYED =
  /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]|\p{Surrogate}|<\{%|^[^\S\n]*::|##\w*\[/mu;
