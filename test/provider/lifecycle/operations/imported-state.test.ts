import { describe, expect, test } from "vitest";
import { stateOf as writtenState } from "../../../../src/commands/shared/inventory/declarable.js";
import { argumentsFor, importedState } from "../../../../src/provider/lifecycle/operations/imported-state.js";
import { kindOf, UNKNOWN } from "../../../support/driver.js";

function stateOf(name: string, declared: Record<string, unknown>, observed: Record<string, unknown>) {
  return importedState(kindOf(name), "acme", declared, observed);
}

const cluster = {
  name: "Linux",
  description: "Builds",
  emoji: undefined,
  color: "#AABBCC",
  url: "https://u",
};

describe("The state of an imported object", () => {
  test("has the program's spelling where that means the same", () => {
    const { inputs, outs } = stateOf("Cluster", { name: "Linux", color: "#aabbcc" }, cluster);
    expect(inputs).toMatchObject({ name: "Linux", color: "#aabbcc", organization: "acme" });
    expect(outs).toMatchObject({ name: "Linux", color: "#aabbcc", url: "https://u" });
  });

  test("has the service's value where the program's is another one, or is not known yet", () => {
    const declared = { name: UNKNOWN, description: "Tests" };
    expect(stateOf("Cluster", declared, cluster).inputs).toMatchObject({
      name: "Linux",
      description: "Builds",
    });
  });

  test("has the names of secrets, unless they are not known yet", () => {
    const declared = { name: "Linux", __secrets: ["name"] };
    const { inputs, outs } = stateOf("Cluster", declared, cluster);
    expect([inputs.__secrets, outs.__secrets]).toEqual([["name"], ["name"]]);
    const unknown = stateOf("Cluster", { ...declared, __secrets: UNKNOWN }, cluster);
    expect(unknown.inputs).not.toHaveProperty("__secrets");
  });

  test("says which service and which access token returned it, where that is needed", () => {
    const observer = { origin: "https://api.example.com", tokenId: "a-token" };
    const outputsOf = (kind: string, observed: Record<string, unknown>) => {
      const object = {
        kind: kindOf(kind),
        id: "i",
        key: "",
        observed,
        label: "",
        parent: undefined,
        viewOf: undefined,
      };
      return writtenState({ ...object, entity: {} }, "acme", observer).outputs;
    };
    expect(outputsOf("Team", { name: "Core", privacy: "secret", isDefault: false })).toMatchObject({
      __origin: observer.origin,
      __tokenId: observer.tokenId,
    });
    expect(outputsOf("Cluster", cluster)).not.toHaveProperty("__tokenId");
  });
});

describe("The arguments that declare an object as it is", () => {
  test("are those that differ from their defaults", () => {
    expect(
      argumentsFor(kindOf("Cluster"), { ...cluster, description: undefined, forceDestroy: true }),
    ).toEqual({
      name: "Linux",
      color: "#AABBCC",
    });
  });

  test("leave out what the API left out", () => {
    const team = { name: "Core", description: undefined, privacy: "secret", isDefaultTeam: false };
    expect(argumentsFor(kindOf("Team"), team)).toEqual({ name: "Core", privacy: "secret" });
  });

  test("leave out what the program does not manage", () => {
    const queue = { clusterId: "c", key: "small", description: undefined, dispatchPaused: true };
    expect(argumentsFor(kindOf("Queue"), queue)).toEqual({ clusterId: "c", key: "small" });
  });
});
