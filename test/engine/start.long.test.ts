import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = join(__dirname, "..", "..");

test("npm start ends with a report of impact and a drawing of the load that a browser opens", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, "tools", "dev", "start.mjs"), "--no-wait"],
    {
      env: { ...process.env, NPM_START_FOLDER: "start-test" },
    },
  );
  const [report = "", drawing = ""] = [...stdout.matchAll(/file:\S+/g)].map(([url]) =>
    readFileSync(fileURLToPath(url), "utf8"),
  );
  expect(report).toContain("3 running");
  expect(report).toMatch(/<svg [\s\S]*>tiny<\/text>/);
  expect(drawing).toContain("3 running, 1 waiting");
  expect(drawing).toMatch(/font-weight="700"[^>]*>0 agents</);
  expect(stdout.trimEnd()).toMatch(/`npm start -- --wait` keeps it running\.$/);
});
