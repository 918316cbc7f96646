import type { Command } from "commander";
import { page } from "./markdown.js";

/** The page about the commands: what `--help` says of each. */
export function commandsPage(commands: readonly Command[]): string {
  return page(
    "Commands",
    "The output of `npx pulumi-buildpipeline <command> --help`. [Commands](../commands.md) explains them.",
    commands.flatMap((command) => [`## ${command.name()}`, `\`\`\`text\n${helpOf(command)}\n\`\`\``]),
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
  return text.trim().replace(/^Usage: /, "Usage: buildpipeline ");
}
