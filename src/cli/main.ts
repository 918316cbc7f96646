#!/usr/bin/env node
import "./node-version.js";
import "../compile-cache.js";

import { run } from "./program.js";

// The reader of the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

void run(process.argv.slice(2));
