// `npm run -s pulumi -- <arguments>`: the Pulumi CLI that this checkout's tests use.
import { onInterruption } from "../interruption.mjs";
import { runMain } from "../problem.mjs";
import { startPulumi } from "./child.mjs";

await runMain(async () => {
  const onTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const pulumi = startPulumi(process.argv.slice(2), { stdio: "inherit", onTerminal });
  onInterruption((signal) => pulumi.interrupt(signal));
  process.exitCode = await pulumi.ended;
});
