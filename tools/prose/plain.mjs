/** Returns the words of Markdown, without code, addresses and marks. A list of names in code is one word. @param {string} text */
export function plain(text) {
  return text
    .replaceAll(/``.+?``|`[^`]*`|\{@link [^}]*\}/gs, "x")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\bx(?:(?:, | and | or |, and |, or )x\b)+/g, "x");
}
