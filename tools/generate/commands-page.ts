import type { Command } from "commander";

/**
 * What `--help` says of each command, by its name: the generated parts of the page about commands. The page says once what
 * most commands say, such as where settings come from.
 */
export function commandParts(commands: readonly Command[]): Record<string, string[]> {
  const helps = new Map(
    commands.map((command) => [
      command.name(),
      [command, ...command.commands].map((one) => helpOf(one).split("\n\n")),
    ]),
  );
  const count = (paragraph: string) =>
    [...helps.values()].filter((texts) => texts.some((help) => help.includes(paragraph))).length;
  return Object.fromEntries(
    [...helps].map(([name, texts]) => [
      name,
      texts.map((paragraphs) => {
        const own = paragraphs.filter((paragraph) => count(paragraph) <= helps.size / 2);
        return `\`\`\`text\n${own.join("\n\n")}\n\`\`\``;
      }),
    ]),
  );
}

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 110,
  });
  command.outputHelp();
  return text
    .trim()
    .replace(/^Usage: (?:buildpipeline )?/, "Usage: buildpipeline ")
    .replace(/\n +-h, --help .*/, "");
}
