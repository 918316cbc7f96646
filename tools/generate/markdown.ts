import { alphabetically } from "../../src/shared/messages/alphabet.js";
import type { ObjectType, Property, Type } from "./source.js";

const NOTICE = "<!-- Made from the code by `npm run generate`; `npm test` compares. -->";

/** A page: its title, what it is about, its sections. */
export function page(title: string, about: string, sections: readonly string[]): string {
  return `${[NOTICE, `# ${title}`, about, ...sections].join("\n\n")}\n`;
}

/**
 * Returns a page that a person writes, with its generated parts: each stands between `<!-- generated: name -->` and
 * `<!-- end: name -->`. A page without the marks of a part, or with marks of another one, is an error.
 */
export function withParts(text: string, parts: Readonly<Record<string, readonly string[]>>): string {
  const named = [...text.matchAll(/<!-- generated: (\S+) -->/g)].map(([, name = ""]) => name);
  if (named.toSorted().join() !== Object.keys(parts).toSorted().join())
    throw new Error(`The page has the parts ${named.join(", ")}, and not ${Object.keys(parts).join(", ")}.`);
  let result = text;
  for (const [name, sections] of Object.entries(parts)) {
    const [start, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
    const [from, to] = [result.indexOf(start), result.indexOf(end)];
    if (to < from) throw new Error(`The page lacks ${end}.`);
    result = `${result.slice(0, from)}${[start, ...sections, ""].join("\n\n")}${result.slice(to)}`;
  }
  return result;
}

/** A table; none without rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "None.";
  const lines = [heads, heads.map(() => "---"), ...rows.map((row) => row.map(cell))];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\n+/g, " ").trim();
}

/** Code as a reader would type it. */
export function examples(codes: readonly string[]): string[] {
  return codes.map((code) => `\`\`\`ts\n${code}\n\`\`\``);
}

/** A property's name in a cell. */
export function propertyName({ name, optional }: Property): string {
  return `\`${name}\`${optional ? "?" : ""}`;
}

/** Properties of arguments or results, with the names of what they are made of. */
export function propertyTable(properties: readonly Property[], head = "name"): string {
  return table(
    [head, "type", "description"],
    properties.map((property) => [propertyName(property), typeName(property.type), withExamples(property)]),
  );
}

/** A property's comment, and the values that it gives as examples. */
export function withExamples({ documentation, examples: values }: Property): string {
  if (values.length === 0) return documentation;
  return `${documentation} For example ${values.map((value) => `\`${value}\``).join(" or ")}.`;
}

/** A type in a cell. An interface is its name, which the page has as a heading. */
export function typeName(type: Type): string {
  switch (type.is) {
    case "list":
      return `list of ${typeName(type.of)}`;
    case "map":
      return `map of ${typeName(type.of)}`;
    case "enum":
      return type.values.map((value) => `\`"${value}"\``).join(" or ");
    case "union":
      return type.of.map(typeName).join(" or ");
    case "object":
      return `[${type.object.name}](#${type.object.name.toLowerCase()})`;
    default:
      return type.is;
  }
}

/** The interfaces that some properties are made of, each once, those within them included. */
export function interfacesOf(properties: readonly Property[]): ObjectType[] {
  const found = new Map<string, ObjectType>();
  const visit = (type: Type): void => {
    if (type.is === "list" || type.is === "map") visit(type.of);
    else if (type.is === "union") type.of.forEach(visit);
    else if (type.is === "object" && !found.has(type.object.name)) {
      found.set(type.object.name, type.object);
      for (const property of type.object.properties()) visit(property.type);
    }
  };
  for (const { type } of properties) visit(type);
  return [...found.values()].sort((one, other) => alphabetically(one.name, other.name));
}

/** Sections for interfaces. */
export function interfaceSections(interfaces: readonly ObjectType[]): string[] {
  return interfaces.flatMap(({ name, documentation, properties }) => [
    `### ${name}`,
    ...(documentation === "" ? [] : [documentation]),
    propertyTable([...properties()].sort((one, other) => alphabetically(one.name, other.name))),
  ]);
}
