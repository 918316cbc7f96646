import type { Command } from "commander";
import { commandWithVerdict, verdict } from "../../cli/terminal/command.js";
import { days, seconds, wholeNumber } from "../../cli/terminal/options.js";
import { withSelection } from "../projects/command.js";
import type { InitFlags } from "./init.js";
import type { RotateFlags } from "./rotate.js";
import type { StackFlags } from "./run.js";

const OUTCOMES = `
Exit codes:
  Each stack ends in one of these ways. The exit code is that of the first in this list:
  130  interrupted  a signal stopped it; what Pulumi had begun is recorded
  2    failed       or skipped, because it reads a stack that failed; or the arguments were wrong
  4    refused      by a mandatory policy, by connected agents that keep a queue, or by a plan that deletes too much
  5    waits        the plan is missing or no longer fits: preview again, and read the new report
  1    changed      something was changed outside of the program, or is unmanaged
  0    planned, deployed or unchanged`;

export function ciCommand(): Command {
  const ci = commandWithVerdict("ci").description(
    "Review and deploy the projects of a Git repository: on a laptop, or in the jobs of any CI system.",
  );
  ci.addHelpText(
    "after",
    `
Run it in the folder of all projects. The settings come from the environment or each stack's configuration.

Examples:
  buildpipeline ci init --host github
  buildpipeline ci preview --stack production --affected-by origin/main
  buildpipeline ci deploy --stack production --waves
  buildpipeline ci comment --print
${OUTCOMES}`,
  );
  const onStacks = (name: string) =>
    commandWithVerdict(name)
      .option(
        "--stack <name>",
        "the stack of each project (default: PULUMI_STACK, or each with a file Pulumi.<stack>.yaml)",
      )
      .option("--only <folder...>", "only projects in these folders")
      .option("--out <folder>", "the folder of all results", "review")
      .option("--parallel <number>", "maximum number of stacks at the same time", wholeNumber, 4)
      .option(
        "--json",
        "print JSON: { outcomes: [{ folder, project, stack, end, reason?, next?, code?, key? }] }",
        false,
      );
  ci.addCommand(
    commandWithVerdict("init")
      .description(
        "Write the files of a CI host into a repository, or compare them with what this version writes.",
      )
      .option("--host <name>", "github, gitlab or buildkite (default: those whose files are there)")
      .option("--stack <name>", "the stack of each project (default: the one in the file, or production)")
      .option("--check", "write nothing, and exit with 1 if a file differs", false)
      .option("--json", "print JSON: { written, missing, different }", false)
      .addHelpText(
        "after",
        `
The command finds the repository's projects, and refuses one whose folder has a name that the host would not take as plain
text. The files are in the repository's root, and name its default branch: that of origin, which \`git remote set-head origin
--auto\` corrects. It says what is left to do. It never overwrites a file, and shows how one differs and how to take this version's. After an upgrade of the
package, \`ci init --check\` shows what to take.`,
      )
      .action(verdict(async (flags: InitFlags) => (await import("./init.js")).init(flags))),
  );
  ci.addCommand(
    withSelection(onStacks("preview"))
      .description("Preview stacks with a refresh, and write their reports and plans. Changes nothing.")
      .addHelpText(
        "after",
        `
Writes review/report.md of all stacks, review/projects.json, and in review/<project>.<stack> outcome.json, preview.json,
report.md, report.html, report.json, summary.json and plan.json. There is a plan only if the preview, its report and the
rules in the folder policies succeeded. \`ci deploy\` deploys exactly these plans. The command replaces results of earlier
runs in that folder, and refuses a folder with other files.
${OUTCOMES}`,
      )
      .action(verdict(async (flags: StackFlags) => (await import("./run.js")).preview(flags))),
  );
  ci.addCommand(
    onStacks("deploy")
      .description("Deploy the plans of an earlier preview, and nothing else.")
      .option("--waves", "deploy each project after the projects that it reads", false)
      .option(
        "--allow-refused",
        "deploy although connected agents may keep a queue from being deleted",
        false,
      )
      .option("--allow-deletions <key...>", "deploy a braked plan: the key that its report prints")
      .option(
        "--timeout <seconds>",
        "longest time to wait for jobs in a queue that a plan deletes",
        seconds,
        1800,
      )
      .addHelpText(
        "after",
        `
A plan is braked that deletes or archives more than 10 objects and more than 30 % of the stack's, or that leaves none of five
or more, and one whose refresh found as many gone. Settings and default queues aren't counted. The report prints the key that
allows these objects or fewer of them: give it with --allow-deletions, or write the line Allow-deletions: <key> in the message
of the plan's commit, or of one that was merged with it, or that came since the stack's last deployment.

Queues that a plan deletes or replaces are paused until no job runs in them. If the deployment then fails, exactly those
that it paused are resumed, also those of an earlier deployment that was killed. Ctrl-C, SIGTERM or a closed terminal lets
Pulumi finish and record what it has begun. Only a second Ctrl-C ends the command before that: Pulumi goes on, and the
last line has its process and the commands for later. A second deployment from the same folder is refused meanwhile. On
Windows only Ctrl-C is supported.
${OUTCOMES}`,
      )
      .action(verdict(async (flags: StackFlags) => (await import("./run.js")).deploy(flags))),
  );
  ci.addCommand(
    onStacks("drift")
      .description(
        "Report what was changed outside of the programs, broken policies and unmanaged resources. Reads only.",
      )
      .option(
        "--other-stacks <name...>",
        "full names of stacks of other repositories that own objects (default: OTHER_STACKS)",
      )
      .option(
        "--except <kind...>",
        "resource types whose unmanaged objects are not reported, such as Pipeline",
      )
      .addHelpText(
        "after",
        `
A change of what the program doesn't state counts as well, because no deployment undoes it. What operators change, such as
the pausing of a queue, is only listed.
${OUTCOMES}`,
      )
      .action(verdict(async (flags: StackFlags) => (await import("./run.js")).drift(flags))),
  );
  ci.addCommand(
    commandWithVerdict("comment")
      .description("Publish the report as the one comment of a pull request that each push updates.")
      .option("--out <folder>", "the folder of all results", "review")
      .option("--print", "print what would be posted", false)
      .addHelpText(
        "after",
        `
On GitHub and GitLab this is a comment on the pull request, on Buildkite an annotation of the build. A workflow of GitHub
also shows each change at its line of the program, where Pulumi recorded one. The report of a later run stays, unless only
this run's is of the pull request's last commit. It needs GITHUB_TOKEN, or COMMENT_TOKEN on GitLab. Run it from a checkout of the main branch, because a pull request's code must not see the token.`,
      )
      .action(
        verdict(async (flags: { out: string; print: boolean }) =>
          (await import("./comment.js")).comment(flags),
        ),
      ),
  );
  ci.addCommand(
    commandWithVerdict("rotate")
      .description("Open a pull request that raises tokenGeneration in a stack's configuration by one.")
      .option("--stack <name>", "the stack (default: PULUMI_STACK, or production)")
      .option("--only <folder>", "the project's folder, if several projects have tokenGeneration")
      .option("--older-than <days>", "only if the newest token of a rotation is as old, such as 60d", days)
      .option("--expires-within <days>", "only if a token of a rotation expires by then, such as 14d", days)
      .option("--json", "print JSON: { opened, title, url }; { opened, due } if no token is due", false)
      .addHelpText(
        "after",
        `
It deploys nothing, and does nothing while such a pull request of this project and stack is open. With --older-than or
--expires-within, it reads the tokens' times in the stack's state, and exits with 0 and a sentence if no token is due, so
that a nightly job can run it. An age that the state lacks is an error. It needs GITHUB_REPOSITORY and GITHUB_TOKEN, or on
GitLab ROTATION_TOKEN.`,
      )
      .action(verdict(async (flags: RotateFlags) => (await import("./rotate.js")).rotate(flags))),
  );
  return ci;
}
