// Asks the registry which locked packages have known vulnerabilities. Part of `npm run check`.
//
// A registry that cannot be reached, or does not answer this question, is no failure: the check must work offline.
import { checkout } from "./checkout.mjs";
import { run } from "./child.mjs";
import { Problem, runMain } from "./problem.mjs";
import { say } from "./steps.mjs";

const WAIT_AT_MOST_MS = 60_000;
const FAILING = new Set(["high", "critical"]);

/**
 * @typedef {{ name: string, severity: string, via: (string | { title?: string, url?: string })[] }} Vulnerable
 * @typedef {{ vulnerabilities?: Record<string, Vulnerable>, message?: string, error?: { summary?: string } }} Report
 */

await runMain(async () => {
  const { stdout } = await run("npm", ["audit", "--json", "--fetch-retries=0"], {
    cwd: checkout,
    killAfterMs: WAIT_AT_MOST_MS,
  });
  const { vulnerabilities, message, error } = parse(stdout);
  if (vulnerabilities === undefined) {
    say(`Not audited: no answer from the registry (${message ?? error?.summary ?? "out of reach"}).`);
    return;
  }
  const found = Object.values(vulnerabilities);
  say(`Audited: ${found.length} packages with known vulnerabilities.${found.map(describe).join("")}`);
  if (found.some(({ severity }) => FAILING.has(severity))) {
    throw new Problem(
      "Packages with vulnerabilities of high severity are locked. Update them: npm audit fix.",
    );
  }
});

/** @param {string} output @returns {Report} */
function parse(output) {
  try {
    return JSON.parse(output);
  } catch {
    return {};
  }
}

/** @param {Vulnerable} vulnerable */
function describe({ name, severity, via }) {
  const reasons = via.map((cause) =>
    typeof cause === "string" ? `through ${cause}` : (cause.url ?? cause.title),
  );
  return `\n  ${severity}: ${name}, ${reasons.join(", ")}`;
}
