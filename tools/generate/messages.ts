import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { table } from "./markdown.js";

/** A message that users see, as messages.yaml describes it. */
export interface Message {
  readonly says: readonly string[];
  readonly parts?: readonly string[];
  readonly level?: "warning" | "status";
  readonly cause: string;
  readonly fix: string;
}

interface Group {
  readonly title: string;
  /** Words by which a reader finds the group: each is in one of its rows. */
  readonly find: readonly string[];
  readonly about?: string;
  readonly messages: readonly Message[];
}

interface Catalog {
  /** Messages of previews and deployments, by symptom. */
  readonly symptoms: readonly Group[];
  /** Messages of functions, client and commands. */
  readonly others: readonly Group[];
}

/** Reads the catalog of messages. */
export function readCatalog(checkout: string): Catalog {
  return parse(readFileSync(join(checkout, "tools", "generate", "messages.yaml"), "utf8"));
}

/** Lists every message of a catalog. */
export function messagesOf({ symptoms, others }: Catalog): Message[] {
  return [...symptoms, ...others].flatMap(({ messages }) => messages);
}

/** Returns the parts of the error reference: an index of the causes, and every message, first of previews and deployments. */
export function messageParts({ symptoms, others }: Catalog): Record<"causes" | "messages", string[]> {
  const groups = [...symptoms, ...others];
  const rows = groups.map(({ title, find }) => [
    `[${title}](#${title
      .toLowerCase()
      .replaceAll(/[^a-z -]/g, "")
      .replaceAll(" ", "-")})`,
    find.map(code).join(", "),
  ]);
  return {
    causes: [table(["cause", "words of its messages"], rows)],
    messages: groups.flatMap(groupSections),
  };
}

function groupSections({ title, about, messages }: Group): string[] {
  return [`### ${title}`, ...(about === undefined ? [] : [about]), messageTable(messages)];
}

function messageTable(messages: readonly Message[]): string {
  return table(
    ["message", "cause", "fix"],
    // A report of progress that asks for nothing explains itself.
    messages
      .filter(({ level, fix }) => level !== "status" || !fix.startsWith("Nothing to do"))
      .map(({ says, level, cause, fix }) => [
        says.map(code).join(", "),
        level === "warning" ? `Warning. ${cause}` : cause,
        fix,
      ]),
  );
}

function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}
