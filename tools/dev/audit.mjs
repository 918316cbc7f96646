// Asks the registry which locked packages have known vulnerabilities. Part of `npm run check`.
//
// A registry that cannot be reached, or does not answer this question, is no failure: the check must work offline.
import { checkout } from "./checkout.mjs";
import { Problem, run, runMain, say } from "./command.mjs";

await runMain(async () => {
  const args = ["audit", "--audit-level=high", "--fetch-retries=0"];
  const { code, stdout } = await run("npm", args, { cwd: checkout, timeout: 60_000 });
  say(stdout.trimEnd());
  // Only a report ends with the number of vulnerabilities.
  if (!/^(?:found )?\d+ .*vulnerabilit/m.test(stdout)) say("Not audited: no report from the registry.");
  else if (code !== 0) throw new Problem("A locked package has a vulnerability of high severity.");
});
