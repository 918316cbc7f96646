// A Pulumi CLI that does what a test's file `scenario.json` says: by project and command, what it prints, how it ends,
// whether it waits for a signal. It writes down its calls.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const folder = process.env.STAND_IN ?? "";
const args = process.argv.slice(2);
const project = basename(process.cwd());
const name =
  ["stack export", "stack ls", "stack history", "policy analyze"].find((two) =>
    args.join(" ").startsWith(two),
  ) ??
  args[0] ??
  "";
const note = (/** @type {string} */ line) => appendFileSync(join(folder, "calls"), `${project}: ${line}\n`);
const { PULUMI_CONFIG_PASSPHRASE: key = "", BUILDPIPELINE_READ_ONLY: readOnly = "" } = process.env;
note(
  [name, ...args.filter((one) => /^--(?:plan|policy-pack|refresh)/.test(one)), key, readOnly && "(reads)"]
    .filter(Boolean)
    .join(" "),
);

const scenario = JSON.parse(readFileSync(join(folder, "scenario.json"), "utf8"));
const policies = args.includes("--policy-pack") && name === "preview" ? "policies" : name;
const {
  stdout = "",
  stderr = "",
  code = 0,
  waits = false,
  records = false,
} = {
  ...scenario[policies],
  ...scenario[`${project} ${policies}`],
};
const plan = args[args.indexOf("--save-plan") + 1];
if (args.includes("--save-plan") && plan !== undefined) writeFileSync(plan, "{}");
const print = () => {
  process.stdout.write(typeof stdout === "string" ? stdout : JSON.stringify(stdout));
  process.stderr.write(stderr);
};
if (!waits) {
  print();
  process.exitCode = code;
} else {
  // A provider in the same process group, which must not get the signal: it would forget a creation.
  const script = `for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => require("fs").appendFileSync(process.argv[1], "provider got " + signal + "\\n"));
    console.log("ready"); setTimeout(() => {}, 20_000);`;
  const provider = spawn(process.execPath, ["-e", script, join(folder, "calls")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const alive = setInterval(() => {
    if (existsSync(join(folder, "go"))) end(code);
  }, 20);
  const end = (/** @type {number} */ code) => {
    clearInterval(alive);
    provider.kill("SIGKILL");
    if (records) note("recorded");
    print();
    process.exitCode = code;
  };
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => {
      note(`got ${signal}`);
      setTimeout(() => end(1), 100);
    });
  provider.stdout.once("data", () => note("waits"));
}
