#!/usr/bin/env node
import "./node-version.js";
import "../shared/process/compile-cache.js";

import { EXIT } from "../cli/terminal/command.js";
import { note } from "../cli/terminal/terminal.js";
import { messageOf } from "../shared/messages/of-error.js";
import { run } from "./program.js";

// A full disk, or a reader that stopped early, as `head` and a closed terminal do. The command goes on, because it may be
// in the middle of its work. Exit codes below 2 say that everything was printed.
let isDelivered = true;
process.stdout.on("error", (error) => {
  // Error output-unwritable: The disk is full, or the reader of the output stopped early, as `head` does. The command
  // did its work.
  // Fix: Make room, or read the output to its end, and run the command again if you need what it printed.
  if (isDelivered) note(`buildpipeline: Standard output cannot be written: ${messageOf(error)}.`);
  isDelivered = false;
});
process.stderr.on("error", () => undefined);
process.once("exit", (code) => {
  if (!isDelivered && code < EXIT.failed) process.exitCode = EXIT.failed;
});

void run(process.argv.slice(2));
