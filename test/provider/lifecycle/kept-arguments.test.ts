import { describe, expect, test } from "vitest";
import { isGrave, kinds } from "../../../src/provider/for-commands/kinds.js";
import { decode, sameOnService } from "../../../src/provider/lifecycle/values/codec.js";
import { InitializationError, plain } from "../../stories/histories/engine/backend.js";
import { someOf } from "../../support/cases.js";
import { groupOf, kindOf, serviceForEach } from "../../support/driver.js";
import { valuesIn } from "../../support/each-kind.js";
import { BACKENDS, type InState, ResourceOfProgram } from "../../support/program.js";
import { putting } from "../../support/unexpected-values.js";

const service = serviceForEach({ variations: { teamReturnsWritableFields: true } });

const UNUSED_ID = "a0000000-0000-4000-8000-000000000001";

const ANSWERS = ["null", "another value", "nothing"] as const;

/** Arguments of a creation's body that its response has. Without one that tells an object from others, or that the client needs, it isn't usable. */
const rows = [...kinds.values()].flatMap(({ name, words, view, isSetting, arguments: fields }) =>
  Object.entries(fields).flatMap(
    ([argument, { apply, sentAs, returnedAs, shownBy, replaces, whenOmitted }]) => {
      const isNeeded = ["slug", "available"].includes(argument);
      const isIdentity =
        argument === words.label || whenOmitted === "required" || replaces === true || isNeeded;
      // Settings exist before their creation, which is an update.
      if (view || isSetting || apply || sentAs === undefined || isIdentity || !(returnedAs || shownBy))
        return [];
      return BACKENDS.flatMap((backend) => ANSWERS.map((answer) => ({ name, argument, answer, backend })));
    },
  ),
);

const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce((value, part) => Reflect.get(Object(value), part), body);

const without =
  ([name = "", ...rest]: readonly string[]) =>
  (body: unknown): unknown => {
    const { [name]: inner, ...others } = Object(body);
    return rest.length === 0 ? others : { ...others, [name]: without(rest)(inner) };
  };

/** Creates, and has the response say of an argument what it wasn't sent. */
async function answered({ name, argument, answer, backend }: (typeof rows)[number]) {
  const [given, others] = await valuesIn(service, name);
  const { sentAs = "", returnedAs, creationOnly } = kindOf(name).arguments[argument] ?? {};
  // Days until a token expires show in the time when it does.
  const path = (returnedAs ?? "expires_at").split(".");
  const isAlternative = given[argument] === undefined;
  const alternatives = Object.entries(kindOf(name).arguments).flatMap(([one, { unless }]) =>
    unless?.argument === argument ? [[one, undefined]] : [],
  );
  const value = isAlternative ? others[argument] : given[argument];
  const args = { ...given, ...Object.fromEntries(alternatives), [argument]: value };

  const creation = `${groupOf(name)}.create`;
  let other: unknown = UNUSED_ID;
  if (answer === "another value" && argument !== "pipelineTemplateUuid") {
    const change = (body: unknown) => {
      other = valueAt(body, path);
      return body;
    };
    service.emulator.fault({ operation: creation, when: "after", action: { change } });
    const made = await service.driver.create(name, {
      ...args,
      [argument]: isAlternative ? 300 : others[argument],
    });
    await service.driver.delete({ ...made, outs: { ...made.outs, onDelete: "delete" } });
  }
  let response = {};
  const change = (body: unknown) => {
    const altered =
      answer === "nothing" ? without(path)(body) : putting(path, answer === "null" ? null : other)(body);
    response = JSON.parse(JSON.stringify(altered));
    return altered;
  };
  service.emulator.fault({ operation: creation, when: "after", action: { change } });
  service.emulator.clearRequests();
  const resource = () => new ResourceOfProgram(backend, service.emulator, name, service.clock);
  const creating = resource();
  const { inputs } = await resource().preview(args);
  service.emulator.clearRequests();
  const made = await creating.up(args).catch((error: unknown): InState => {
    if (!(error instanceof InitializationError)) throw error;
    creating.said.push(`Not finished: ${error.message}`);
    return { id: error.id, inputs, outs: error.outs, isHalfMade: true };
  });
  // What only a creation takes can't be confirmed later, and an update leaves out a visibility that is right.
  if (answer !== "nothing" && (creationOnly || argument === "visibility")) {
    const collection: { update(id: string, change: object): void } = Reflect.get(
      service.emulator.organizationData,
      groupOf(name),
    );
    collection.update(made.id, { [path[0] ?? ""]: answer === "null" ? null : other });
  }
  return { resource, args, sentAs, made, said: creating.said.join("\n"), response };
}

describe.each(someOf(rows))(
  "$name: $argument, for which the response to a creation by the backend $backend has $answer,",
  (row) => {
    const { name, argument, answer } = row;
    const kind = kindOf(name);
    const { creationOnly, review, mayBeLeftOut, shownBy } = kind.arguments[argument] ?? {};

    test("is believed as sent, or said and sent again", async () => {
      const { resource, args, sentAs, made, said, response } = await answered(row);
      const observed = decode(kind, response);
      const isNothing = answer === "nothing";
      const isAbsent = isNothing || (!shownBy && !(argument in observed));
      const isEqual =
        !isAbsent &&
        !shownBy &&
        sameOnService(kind, argument, plain(made.inputs)[argument], observed[argument]);
      if (isAbsent || isEqual) {
        const warning = `${name}.${argument}: the response to a creation doesn't have it`;
        expect(said.includes(warning)).toBe(isNothing && !mayBeLeftOut && !shownBy);
        expect(made.isHalfMade).toBeUndefined();
        expect(made.outs).not.toHaveProperty("__unsent");
        expect((await resource().preview(args, made)).changes).toBe(false);
        return;
      }
      expect(said).toContain(`the API didn't keep ${argument}`);
      expect(said.includes("Not finished")).toBe(isGrave(review));
      expect(made.outs.__unsent).toEqual([argument]);
      const creations = service.emulator.requests.filter(({ method }) => method === "POST");
      expect(creations).toHaveLength(1);

      // Neither a refresh nor the engine's note of an unfinished creation is needed for what follows.
      const { isHalfMade: _, ...finished } = made;
      for (const state of [finished, await resource().refresh(finished)]) {
        if (state === undefined) throw new Error("A refresh dropped it.");
        service.emulator.clearRequests();
        const next = resource();
        const preview = await next.preview(args, state);
        expect(preview.replaces).toEqual([]);
        if (creationOnly !== undefined) {
          expect(next.said.join()).toContain(`${name}.${argument}: the`);
          await next.up(args, state);
          expect(service.writes).toEqual([]);
        }
      }
      if (creationOnly !== undefined) return;
      service.emulator.clearRequests();
      const updating = resource();
      const updated = await updating.up(args, finished);
      expect(updating.said.join()).toContain(`sends the ${argument} of the`);
      const [write, ...more] = service.emulator.requests.filter(({ method }) => method !== "GET");
      expect(more).toEqual([]);
      expect(write?.operation).toBe(`${groupOf(name)}.update`);
      // The two maps of settings are one in a body.
      expect(write?.body).toHaveProperty(sentAs.replace(/^secret_/, ""));
      expect(updated.outs).not.toHaveProperty("__unsent");
      expect((await resource().preview(args, updated)).changes).toBe(false);
    });
  },
);
