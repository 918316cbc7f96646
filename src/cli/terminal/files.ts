import { rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type * as z from "zod";
import { messageOf } from "../../shared/messages/of-error.js";
import type { Project } from "../pulumi/pulumi.js";
import type { StackState, StateResource } from "../pulumi/stack-export.js";
import { result } from "./terminal.js";

export async function readJson(file: string): Promise<unknown> {
  return parsed(await readText(file), file);
}

export async function readJsonAs<Result>(file: string, read: (value: unknown) => Result): Promise<Result> {
  const value = await readJson(file);
  return namingFile(file, () => read(value));
}

/** Loads the resource classes, which a command's help does not need. */
export async function readState(file: string): Promise<StackState> {
  const { readStackState } = await import("../pulumi/stack-export.js");
  return readJsonAs(file, readStackState);
}

export async function readResources(files: readonly string[]): Promise<StateResource[]> {
  return (await Promise.all(files.map(readState))).flatMap(({ resources }) => resources);
}

export async function readStateOf(
  file: string | undefined,
  project: Project | undefined,
): Promise<StackState> {
  if (file !== undefined) return readState(file);
  if (project !== undefined) return (await import("../pulumi/stack-export.js")).stateOf(project);
  throw new Error("Give --stack-export <file>, or run this in the directory of a Pulumi project.");
}

export async function readJsonOrLines(file: string): Promise<{ value: unknown } | { lines: unknown[] }> {
  const content = await readText(file);
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  // A value that is laid out on several lines has no closing brace on its first.
  if (lines.length < 2 || !/^\{.*\}\s*$/.test(lines[0] ?? "")) return { value: parsed(content, file) };
  return { lines: lines.map((line) => parsed(line, file)) };
}

/** What standard input had, because a command line can name it twice. */
const inputs = new WeakMap<object, Promise<Buffer>>();

function standardInput(): Promise<Buffer> {
  const { stdin } = process;
  const input = inputs.get(stdin) ?? buffer(stdin);
  inputs.set(stdin, input);
  return input;
}

/** Reads a text file, or standard input for `-`. @throws with the file's name */
export async function readText(file: string): Promise<string> {
  try {
    return decoded(file === "-" ? await standardInput() : await readFile(file));
  } catch (error) {
    throw new Error(`${shownName(file)} cannot be read: ${messageOf(error)}`);
  }
}

function parsed(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // The parser's own message would quote the content, which may be a state with secrets in it.
    throw new Error(`${shownName(file)} is not JSON.`);
  }
}

/** Undefined if the text has another form, or a kill cut it off. */
export function jsonAs<Value>(schema: z.ZodType<Value>, content: string): Value | undefined {
  try {
    return schema.parse(JSON.parse(content));
  } catch {
    return undefined;
  }
}

export function namingFile<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file} ${messageOf(error)}`);
  }
}

function shownName(file: string): string {
  return file === "-" ? "Standard input" : file;
}

/** Decodes a text, without its byte order mark. PowerShell's `>` writes UTF-16. */
function decoded(bytes: Buffer): string {
  const encoding = { fffe: "utf-16le", feff: "utf-16be" }[bytes.toString("hex", 0, 2)];
  return new TextDecoder(encoding).decode(bytes);
}

export async function writeOut(content: string, file: string | undefined): Promise<void> {
  if (file === undefined) return result(content);
  writing(file, () => writeFileSync(file, content));
}

/** Writes a file that others read: none is left where the disk is full. */
export function writeWhole(file: string, content: string): void {
  try {
    writing(file, () => writeFileSync(file, content));
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/** Adds the file's name to an error of a write: that of a full disk has none. */
export function writing(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Error(`${file} cannot be written: ${messageOf(error)}`);
  }
}
