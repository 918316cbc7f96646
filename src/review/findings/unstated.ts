import { kinds, nounOf } from "../../provider/for-commands/kinds.js";
import type { Plan } from "../plan/plan.js";
import { listed, type Text, text } from "../plan/text.js";
import { openIn } from "./opened.js";

/** Names what is open to outsiders of the organization, and neither stated by the program nor changed just now. */
export function unstatedNote({ resources, managed, outOfBand }: Plan): Text {
  const changed = new Set(
    outOfBand.flatMap(({ urn, changed }) => changed.map(({ name }) => `${urn} ${name}`)),
  );
  const found = resources.flatMap(({ urn, kind, pending, before, after = before, change }): Text[] => {
    if (pending || after === undefined || change?.action === "delete") return [];
    const open = openIn({ kind, before: after.properties, after: after.properties }).flatMap(
      ({ argument, name, meaning }) => {
        const stated = after.inputs[argument];
        const isStated = name === argument ? stated !== undefined : Object.hasOwn(Object(stated), name);
        const isLeft = kinds.get(kind)?.arguments[argument]?.whenOmitted === "unmanaged";
        return meaning.level !== "danger" || isStated || !isLeft || changed.has(`${urn} ${argument}`)
          ? []
          : [name === argument ? name : `${argument}.${name}`];
      },
    );
    const label = managed.find((one) => one.urn === urn)?.label;
    return open.length === 0 || label === undefined
      ? []
      : [text`${[nounOf(kind)]} ${label} (${listed(open.toSorted())})`];
  });
  return found.length === 0
    ? []
    : text`Open to outsiders, without being stated by the program: ${listed(found)}.`;
}
