#!/usr/bin/env node
import "./node-version.js";
import "../shared/process/compile-cache.js";

import { run } from "./program.js";

// The reader of the output may stop early, as `head` and a closed terminal do. The command goes on, because it may be in
// the middle of its work, and because its exit code matters.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
  });

void run(process.argv.slice(2));
