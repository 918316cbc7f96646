import type { Command } from "commander";
import { commandWithVerdict, EXIT, verdict } from "../../cli/terminal/command.js";
import { result } from "../../cli/terminal/terminal.js";

export function docsCommand(): Command {
  return commandWithVerdict("docs")
    .description("Print a page of the documents of the installed version.")
    .argument("[page]", "its name, also with its folder and a section (default: the list of pages)")
    .option("--open", "open the page in the program that this machine has for Markdown", false)
    .addHelpText(
      "after",
      `
Examples:
  buildpipeline docs
  buildpipeline docs recover
  buildpipeline docs recover#an-incident
  buildpipeline docs guides/emulator --open

Exit codes:
  0  printed or opened
  2  the command failed, or its arguments were wrong`,
    )
    .action(verdict(run));
}

async function run(name = "README", { open }: { readonly open: boolean }): Promise<number> {
  const { openPage, pageNamed } = await import("./page.js");
  const page = pageNamed(name);
  if (open) openPage(page);
  else if (process.stdout.isTTY) result((await import("./terminal.js")).forTerminal(page.text, page.path));
  else result(page.text);
  return EXIT.clean;
}
