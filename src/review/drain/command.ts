import type { Command } from "commander";
import { commandWithVerdict, SETTINGS_HELP, verdict } from "../../cli/terminal/command.js";
import { seconds, wholeNumber } from "../../cli/terminal/options.js";
import { MOST_BUILDS } from "../../cli/workload/job.js";
import type { Flags } from "./run.js";

export function drainCommand(): Command {
  return commandWithVerdict("drain")
    .description(
      "Pause queues and wait until no job runs in them, for example before a deployment replaces them.",
    )
    .argument("[queue...]", "key, <cluster>/<key> or UUID; a cluster by name or UUID")
    .option(
      "--preview <preview.json>",
      "drain every queue that a preview deletes or replaces; - for standard input",
    )
    .option(
      "--record <file>",
      "add what this run pauses to a file; with --resume, resume exactly the pauses in it that still stand",
    )
    .option("--resume", "resume the pauses of --record; of queues, show who paused them", false)
    .option("--yes", "with --resume and queues: resume them, whoever paused them", false)
    .option("--timeout <seconds>", "longest time to wait; the queues stay paused", seconds, 3600)
    .option("--interval <seconds>", "time between two checks", seconds, 10)
    .option("--max-builds <number>", "maximum number of open builds to read", wholeNumber, MOST_BUILDS)
    .option("--note <text>", "text to add to the pause's note, such as a pull request's address")
    .option(
      "--stack-export <file>",
      "the state, which shows which stacks manage pausing and which deletions are due (default: the selected stack's, " +
        "in a project's directory)",
    )
    .option("--stack <name>", "the stack whose configuration and state to use (default: the selected one)")
    .option(
      "--json",
      "print JSON: { end, queues: [{ id, key, cluster, running, waiting, paused, … }] }",
      false,
    )
    .addHelpText(
      "after",
      `
While a queue is paused, its running jobs continue and no new jobs start. A drained queue stays paused so that you can
deploy; --resume lets jobs start again. Ctrl-C resumes the queues that this run paused. If someone else paused a queue,
the command waits for its jobs but never resumes it. With --record, each pause is in the file before it is sent, so that
--resume --record finds it also after a kill. It leaves a queue alone that someone resumed and paused again since. The
command refuses to pause a queue whose dispatchPaused a stack manages. Because the API may refuse to delete a queue with connected agents, the command names each drained queue that
may have connected agents.
The command needs the scopes read_clusters, write_clusters and read_builds, and read_agents to name queues with agents.
With --preview, it also drains queues that an earlier deployment could not delete and whose deletion is still due.
${SETTINGS_HELP}

Examples:
  buildpipeline drain Linux/small --timeout 1800 && pulumi up
  buildpipeline drain --preview preview.json --note "https://example.com/pull/7" --record drained.jsonl
  buildpipeline drain --resume --record drained.jsonl
  buildpipeline drain Linux/small --resume --yes

Exit codes:
  0  the queues were drained, or resumed
  1  not drained: the timeout passed, the command was interrupted, or someone resumed a queue
  2  the command failed, or its arguments were wrong; it left no queue paused except those that the message names.
     With --resume: a queue stays paused`,
    )
    .action(
      verdict(async (names: string[], flags: Flags) => {
        const { drain, resume } = await import("./run.js");
        return flags.resume ? resume(names, flags) : drain(names, flags);
      }),
    );
}
