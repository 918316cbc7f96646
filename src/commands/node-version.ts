import { oldNode } from "../shared/process/old-node.js";

/** Imported first by the command. It ends in one line: for an uncaught error, Node prints the source as well. */
if (oldNode !== undefined) {
  process.stderr.write(`buildpipeline: ${oldNode}\n`);
  process.exit(2);
}
