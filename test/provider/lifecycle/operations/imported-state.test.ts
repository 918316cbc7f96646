import { describe, expect, test } from "vitest";
import { stateOf as writtenState } from "../../../../src/provider/for-commands/objects.js";
import { argumentsFor, importedState } from "../../../../src/provider/lifecycle/operations/imported-state.js";
import { kindOf, UNKNOWN } from "../../../support/driver.js";

type Properties = Record<string, unknown>;

const unset = { description: undefined, emoji: undefined };
const cluster = { ...unset, name: "Linux", color: "#AABBCC", url: "https://u" };

describe("The state of an imported object", () => {
  test("has the names of secrets, unless they are not known yet", () => {
    const stateWith = (secrets: unknown) =>
      importedState(kindOf("Cluster"), "acme", { name: "Linux", __secrets: secrets }, cluster);
    const { inputs, outs } = stateWith(["name"]);
    expect([inputs.__secrets, outs.__secrets]).toEqual([["name"], ["name"]]);
    expect(stateWith(UNKNOWN).inputs.__secrets).toBeUndefined();
  });

  test("says which service and which access token returned it, where that is needed", () => {
    const observer = { origin: "https://api.example.com", tokenId: "a-token" };
    const object = { id: "i", key: "", label: "", parent: undefined, viewOf: undefined, entity: {} };
    const outputsOf = (kind: string, observed: Properties) =>
      writtenState({ ...object, kind: kindOf(kind), observed }, "acme", observer).outputs;
    expect(outputsOf("Team", { name: "Core", privacy: "secret", isDefault: false })).toMatchObject({
      __origin: observer.origin,
      __tokenId: observer.tokenId,
    });
    expect(outputsOf("Cluster", cluster)).not.toHaveProperty("__tokenId");
  });
});

describe("The arguments that declare an object as it is", () => {
  const team = { name: "Core", privacy: "secret" };
  const queue = { clusterId: "c", key: "small" };

  test.each<[which: string, kind: string, observed: Properties, declared: Properties]>([
    ["aren't defaults", "Cluster", { ...cluster, forceDestroy: true }, { name: "Linux", color: "#AABBCC" }],
    ["the API returned", "Team", { ...team, description: undefined, isDefaultTeam: false }, team],
    ["the program manages", "Queue", { ...queue, description: undefined, dispatchPaused: true }, queue],
  ])("are those that %s", (_, kind, observed, declared) => {
    expect(argumentsFor(kindOf(kind), observed)).toEqual(declared);
  });
});
