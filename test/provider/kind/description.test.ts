import { describe, expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { problemsOf } from "../../../src/provider/kind/argument-problems.js";
import { kindOf } from "../../support/driver.js";

/** Members that one kind has, and what is special about it. */
const OF_ONE_KIND = {
  archiving: "Pipeline: a deletion may archive it",
  "arguments.isAbout": "ApiSettings: an address says whom another argument, a list, locks out",
  "arguments.inEveryUpdate": "Team: the API wants all of its properties in every update",
  "arguments.equal": "AgentToken: no form says that two instants differ by less than a second",
  "arguments.shownBy": "AgentToken: days until it expires show in the time when it does",
  "outputs.lostWhenReplaced": "Queue: what an argument may lose, a queue's hosted agents are as an output",
  "once.also": "OrganizationRule: only rules of one type and for the same two pipelines are equal",
  view: "ClusterDefaultQueue: a default queue is a property of its cluster",
  "words.composed": "OrganizationRule: it has no name, so people call it by its two pipelines",
  "words.full": "Suite: the word alone says nothing about tests",
  ending: "AgentToken: no other object ends at a time of its own",
  otherNames: "Pipeline: its arguments have other names in Terraform",
  "unique.derived.form": "Pipeline: the service makes the slug of the name",
  "unique.derived.isCertain": "Pipeline: how the service spells out signs is known by examples only",
  "unique.holder": "Pipeline: no list shows some that are archived",
};

/** Parts of a description by their names, in which what matters is each entry's own members. */
const BY_NAME = new Set(["arguments", "outputs"]);
/** Parts that have members; others, such as a list of names, are values. */
const PARTS = /^(words|drawn|parent|view|unique|unique\.derived|once|hidden|hidden\.evidence|importing)$/;

function membersOf(part: object, path = ""): string[] {
  return Object.entries(part).flatMap(([name, value]) => {
    const here = path === "" ? name : `${path}.${name}`;
    if (BY_NAME.has(here)) return Object.values(value).flatMap((field) => membersOf(Object(field), here));
    return [here, ...(PARTS.test(here) ? membersOf(Object(value), here) : [])];
  });
}

test("A description has a member for a single kind only where something is special about that kind", () => {
  const users = new Map<string, Set<string>>();
  for (const kind of kinds.values())
    for (const member of membersOf(kind)) users.set(member, (users.get(member) ?? new Set()).add(kind.name));
  const single = [...users].flatMap(([member, { size }]) => (size === 1 ? [member] : []));
  // Of a member that one kind has, the parts have no other user.
  const whole = single.filter(
    (member) => !single.includes(member.replace(/\.\w+$/, "")) || !member.includes("."),
  );
  expect(whole.sort()).toEqual(Object.keys(OF_ONE_KIND).sort());
  const named = Object.entries(OF_ONE_KIND).map(([member, why]) => [member, new Set([why.split(":")[0]])]);
  expect(named).toEqual(named.map(([member]) => [member, users.get(String(member))]));
});

/** What the SDK of each language makes of an Output in a text, and what the language has for it. */
const OF_OUTPUTS = {
  TypeScript: ["Calling [toString] on an [Output<T>] is not supported.", "pulumi.interpolate"],
  "JSON in TypeScript": ["Calling [toJSON] on an [Output<T>] is not supported.", "pulumi.jsonStringify"],
  Python: ["Calling __str__ on an Output[T] is not supported.", "pulumi.Output.format"],
  Go: ["x-{0x18f4c18da070}", "pulumi.Sprintf"],
  "Go, by %s": ["{%!s(*internal.OutputState=&{0x18f4c19ed840 <nil> 0})}", "pulumi.Sprintf"],
  ".NET": ["Calling [ToString] on an [Output<T>] is not supported.", "Output.Format($"],
} as const;

/** The arguments of all kinds that can have a text, each with what makes a value of one. */
const TEXTS = [...kinds.values()].flatMap((kind) =>
  Object.entries(kind.arguments).flatMap(([name, { shape }]) => {
    const forms = [(text: string) => text, (text: string) => [text], (text: string) => ({ text })];
    const isOther = (form: (text: string) => unknown) =>
      typeof form("") === "string"
        ? /^is a string/
        : /^is (?:an? (?:string|list|object)|no property|not one of)/;
    const isTaken = (form: (text: string) => unknown) =>
      !shape(form("x")).some(({ problem }) =>
        isOther(form).test(typeof problem === "string" ? problem : problem.words),
      );
    return forms.filter(isTaken).map((form) => ({ kind, name, form }));
  }),
);

describe.each(Object.entries(OF_OUTPUTS))("What %s makes of an Output", (_, [text, fix]) => {
  test("is refused in each text that an argument can have", () => {
    expect(TEXTS.length).toBeGreaterThan(70);
    for (const { kind, name, form } of TEXTS)
      expect(problemsOf(kind, name, form(text), false).map((problem) => problem.text)).toEqual([
        expect.stringMatching(
          new RegExp(`^${kind.name}\\.${name}.*: has what .* makes of an Output, and not its value. Write `),
        ),
      ]);
    expect(problemsOf(kindOf("Cluster"), "name", text, false)[0]?.text).toContain(`Write ${fix}`);
  });
});
