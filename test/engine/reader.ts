import { join } from "node:path";
import { documents } from "../examples/documents.js";
import { COMMAND, type Project } from "./project.js";

/** The tutorial's address of the API, which stands for the reader's own. */
const READERS_URL = "https://api.example.com";

/** Types a command, and answers questions as a person would. */
export async function type(project: Project, command: string): Promise<string> {
  const line = command
    .replace(READERS_URL, project.emulator.url)
    .replace(/^npx pulumi-buildpipeline/, COMMAND)
    .replace("pulumi login --local", `pulumi login 'file://${join(project.directory, "..", "state")}'`)
    .replace(
      /^pulumi (?:-C \w+ )?(?:up\b.*|destroy|stack rm \w+|state (?:delete|unprotect) .*)$/,
      "$& --yes",
    );
  return project.shell(line, line.includes("accessToken") ? project.emulator.accessToken : "");
}

/** Follows a document's blocks of a name in order: writes files, types commands. Returns what each printed last. */
export async function follow(
  project: Project,
  path: string,
  name: string,
  after = async (_command: string): Promise<void> => {},
): Promise<Map<string, string>> {
  const printed = new Map<string, string>();
  for (const { verb, object, text } of documents.find((document) => document.path === path)?.blocks ?? []) {
    if (verb === "file" && object.startsWith(`${name}/`)) project.write(object.slice(name.length + 1), text);
    if (verb !== "run" || object !== name) continue;
    for (const command of text.split("\n")) {
      // The package under test stands where Node finds it, so nothing is built, packed, installed and copied here.
      if (/^npm (run|pack|install) |^cp -R (?:\.\.\/)?pulumi-buildpipeline\//.test(command)) continue;
      printed.set(command, await type(project, command));
      await after(command);
    }
  }
  return printed;
}
