/**
 * Returns text that a CI system prints and doesn't obey. GitHub takes a line that begins with `::name::` in a log as a
 * command; GitHub, Azure Pipelines and TeamCity take `##[…`, `##vso[…` and `##teamcity[…` anywhere in a line. One sign
 * of them becomes visible as its code.
 */
export function withoutLogCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1\\u{3a}").replace(/#(?=#\w*\[)/g, "\\u{23}");
}
