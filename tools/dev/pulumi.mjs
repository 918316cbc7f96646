// `npm run -s pulumi -- <arguments>`: the Pulumi CLI that this checkout's tests use.
import { runMain } from "./command.mjs";
import { onInterruption } from "./interruption.mjs";
import { startPulumi } from "./pulumi-cli/start.mjs";

await runMain(async () => {
  const onTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const pulumi = startPulumi(process.argv.slice(2), { stdio: "inherit", onTerminal });
  onInterruption((signal) => pulumi.interrupt(signal));
  process.exitCode = await pulumi.ended;
});
