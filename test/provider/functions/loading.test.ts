import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { surroundings } from "./surroundings.js";

const at = surroundings();

const PROGRAM = `
  const program = require("./dist/index.js");
  const loaded = () => [...new Set(Object.keys(require.cache).flatMap((file) =>
    /node_modules\\/(undici|zod|hono)\\//.exec(file)?.[1] ?? /dist\\/(client(?=\\/api\\/api)|emulator|provider\\/lifecycle)\\//.exec(file)?.[1] ?? []))].sort();
  const before = loaded();
  program.getOrganization().then(({ slug }) => console.log(JSON.stringify({ before, slug, after: loaded() })));
`;

test("the HTTP client is loaded by the first lookup, not by the package", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", PROGRAM], {
    cwd: join(__dirname, "..", "..", ".."),
    env: { ...process.env },
  });

  expect(JSON.parse(stdout)).toEqual({
    before: [],
    slug: at.emulator.organization,
    after: ["client", "undici", "zod"],
  });
});
