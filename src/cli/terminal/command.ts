import { Command } from "commander";
import { messageOf } from "../../shared/messages/of-error.js";
import { readCode } from "../../shared/protocol/message-codes.js";
import { asCalled, clearProgress, IS_LOCAL, note, widthOf, wrapped } from "./terminal.js";

export const EXIT = {
  clean: 0,
  found: 1,
  failed: 2,
  busy: 3,
  refused: 4,
  leftOut: 5,
  unapproved: 5,
} as const;

/** Ends a command before its action: its help or version was shown, or its arguments were wrong. */
export class Ended extends Error {
  constructor(readonly exitCode: number) {
    super(`Exit code ${exitCode}`);
  }
}

export const EXIT_CODES = (found: string, clean: string) => `
Exit codes:
  0  ${clean}
  1  ${found}
  2  the command failed, or its arguments were wrong`;

export const SETTINGS_HELP = `
Settings come from BUILDPIPELINE_ACCESS_TOKEN, BUILDPIPELINE_ORGANIZATION and BUILDPIPELINE_BASE_URL. In a Pulumi project's
directory, the configuration of the selected stack (buildpipeline:accessToken and so on) overrides them.`;

const HOW_TO_RUN = `
Where the package is installed in a project, type \`npx pulumi-buildpipeline\` in place of \`buildpipeline\`.`;

/** Makes a command whose help fits the terminal. Wrong arguments end it with the same code as a failure of its action. */
export function commandWithVerdict(name: string, failed: number = EXIT.failed): Command {
  return new Command(name)
    .addHelpText("after", () => (IS_LOCAL ? "" : HOW_TO_RUN))
    .configureOutput({ writeOut: (text) => void process.stdout.write(fitted(asCalled(text))) })
    .showHelpAfterError("(see --help)")
    .exitOverride((error) => {
      throw new Ended(error.exitCode === 0 ? EXIT.clean : failed);
    });
}

/** Joins the lines of paragraphs, and keeps rows and commands on their own lines. */
function fitted(help: string): string {
  if (widthOf(process.stdout) === Number.POSITIVE_INFINITY) return help;
  const paragraphs = help.replace(/(?<=^\S.*[^:\n])\n(?=\S)/gm, " ");
  return paragraphs
    .split("\n")
    .map((line) => {
      const [, lead = "", text = ""] = /^( +(?:\S+ {2,})?|)(.*)$/.exec(line) ?? [];
      return lead !== "" && /\b(?:buildpipeline|pulumi) /.test(text)
        ? line
        : wrapped(text, process.stdout, lead);
    })
    .join("\n");
}

/** Makes an action's result the exit code. A failure is one line. */
export function verdict<Arguments extends unknown[]>(
  action: (...args: Arguments) => Promise<number>,
  failed: number = EXIT.failed,
): (...args: Arguments) => Promise<void> {
  return async (...args) => {
    try {
      process.exitCode = await action(...args);
    } catch (error) {
      note(`buildpipeline: ${readCode(messageOf(error)).message}`);
      process.exitCode = failed;
    } finally {
      clearProgress();
    }
  };
}
