import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "../../shared/messages/quoted.js";
import { storeOf } from "./lock.js";
import { type Project, PulumiError } from "./pulumi.js";

const GUIDE = 'Follow "The state is lost" of `buildpipeline docs recover`';
const AFTERWARDS = `${GUIDE}: the copy lacks what was created since, so don't deploy before you compared a preview with that.`;

/** Adds to Pulumi's error that a state can't be read what is broken, and where a copy is. Other errors stay as they are. */
export async function withCopies(error: unknown, project: Project): Promise<unknown> {
  if (!(error instanceof PulumiError) || !error.message.includes("failed to load checkpoint")) return error;
  const { folder, names, stack } = await storeOf(project);
  const words = (...sentences: readonly string[]) =>
    new PulumiError([error.message.replace(/\.*$/, "."), ...sentences].join(" "));
  if (folder === undefined)
    return words(
      `The file of ${stack} is damaged. Beside it, \`${stack}.json.bak\` may be whole, and so may the newest checkpoint of its ` +
        "history: copy one in its place.",
      AFTERWARDS,
    );
  const fileOf = (name: string) => join(folder, "stacks", `${name}.json`);
  const name = names.find((one) => existsSync(fileOf(one)));
  if (name === undefined) return error;
  const file = fileOf(name);
  const history = join(folder, "history", name);
  const checkpoints = existsSync(history) ? readdirSync(history) : [];
  const [newest] = [
    `${file}.bak`,
    ...checkpoints.filter((one) => one.endsWith(".checkpoint.json")).map((one) => join(history, one)),
  ]
    .filter(isWhole)
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  return newest === undefined
    ? words(`${file} is damaged, and no copy beside it or in its history is whole.`, `${GUIDE}.`)
    : words(
        `${file} is damaged. The newest whole copy is of ${statSync(newest).mtime.toISOString()}:`,
        `\`cp ${shellWord(newest)} ${shellWord(file)}\`.`,
        AFTERWARDS,
      );
}

function isWhole(file: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null && "checkpoint" in value;
  } catch {
    return false;
  }
}
