import type { Command } from "commander";

/** What `--help` says of each command, by its name: the generated parts of the page about commands. */
export function commandParts(commands: readonly Command[]): Record<string, string[]> {
  return Object.fromEntries(
    commands.map((command) => [
      command.name(),
      [command, ...command.commands].map((one) => `\`\`\`text\n${helpOf(one)}\n\`\`\``),
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
  return text.trim().replace(/^Usage: (?:buildpipeline )?/, "Usage: buildpipeline ");
}
