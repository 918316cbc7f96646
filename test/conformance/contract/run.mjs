// Compares the client's operations on suites and runs with an OpenAPI 3 file, such as the one that Buildkite publishes.
// Exit codes: 0 nothing may break, 1 something may, 2 the file can't be compared.
//
//   npm test -- contract <file>         needs Go, which installs oasdiff once
import { Problem, say } from "../../../tools/dev/command.mjs";
import { compare } from "./compare.mjs";

try {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Problem("Name an OpenAPI file: npm test -- contract <file>");
  const differences = await compare(file);
  for (const difference of differences) console.log(difference);
  console.log(`Differences that may break the client: ${differences.length}`);
  process.exitCode = differences.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  say(error.message);
  process.exitCode = 2;
}
