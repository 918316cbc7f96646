import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { page, table } from "./markdown.js";

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
  return parse(readFileSync(join(checkout, "tools", "reference", "messages.yaml"), "utf8"));
}

/** Lists every message of a catalog. */
export function messagesOf({ symptoms, others }: Catalog): Message[] {
  return [...symptoms, ...others].flatMap(({ messages }) => messages);
}

/** Returns the page on troubleshooting: the messages of previews and deployments, by symptom. */
export function troubleshootingPage({ symptoms }: Catalog): string {
  return page(
    "Troubleshooting",
    "Find the symptom, then the constant part of the message. For a deployment that was killed or interrupted, follow " +
      "the [runbook](runbook.md). Messages of functions, client and commands are in the " +
      "[error reference](reference/errors.md), with the classes of errors.",
    [
      "`npx pulumi-buildpipeline doctor` checks settings, scopes, service and versions in one run, and prints a fix for each problem.",
      ...symptoms.flatMap(groupSections),
    ],
  );
}

/** Returns the sections of the error reference that list every message. */
export function messageSections({ symptoms, others }: Catalog): string[] {
  const messages = symptoms.flatMap((group) => group.messages).sort(byText);
  const inReference = (text: string) => text.replaceAll(/\]\((?=[a-z-]+\.md)/g, "](../");
  return [
    "## Messages of previews and deployments",
    "[Troubleshooting](../troubleshooting.md) has the same messages by symptom.",
    inReference(messageTable(messages)),
    ...others
      .flatMap(({ title, ...group }) => groupSections({ ...group, title: `Messages: ${title}` }))
      .map(inReference),
  ];
}

function groupSections({ title, about, messages }: Group): string[] {
  return [`## ${title}`, ...(about === undefined ? [] : [about]), messageTable(messages)];
}

function messageTable(messages: readonly Message[]): string {
  return table(
    ["message", "cause", "fix"],
    messages.map(({ says, level, cause, fix }) => [
      says.map(code).join(", "),
      level === "warning" ? `Warning. ${cause}` : cause,
      fix,
    ]),
  );
}

function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function byText(one: Message, other: Message): number {
  const key = ({ says: [first = ""] }: Message) => first.toLowerCase().replace(/^\W+/, "");
  return key(one) < key(other) ? -1 : 1;
}
