import { expect, test } from "vitest";
import { Served, urnOf } from "./served.js";

const urn = urnOf("Team");

/** A secret team that a stack manages. */
async function secretTeam() {
  const served = await Served.configured();
  const team = await served.deploy(urn, { name: "Hidden", privacy: "secret" });
  return { served, team };
}

test("a hidden object that was deleted out of band is removed from state by the token that read it last", async () => {
  const { served, team } = await secretTeam();
  await served.colleague.sends("DELETE", `/teams/${team.id}`);
  const run = await Served.beside(served);
  expect((await run.read(urn, team.id, team.outs, team.inputs)).id).toBe("");
  expect(run.warnings()).toEqual([expect.stringContaining(team.id)]);
});

test("marks stay out of inputs, previews and differences, whatever token reads the object", async () => {
  const { served, team } = await secretTeam();
  const run = await Served.beside(served);
  const scopes = ["read_teams", "write_teams"];
  await run.configure({ accessToken: served.emulator.createAccessToken({ scopes }) });
  const { outs, inputs } = await run.read(urn, team.id, team.outs, team.inputs);
  expect(outs.__tokenId).not.toBe(team.outs.__tokenId);
  expect(inputs).toEqual(team.inputs);
  expect((await run.diff(urn, team.id, outs, inputs, inputs)).changed).toBe(false);
  const preview = await run.update(urn, team.id, outs, { ...inputs, description: "d" }, true);
  expect(preview).toMatchObject({ __origin: outs.__origin, __tokenId: outs.__tokenId });
});
