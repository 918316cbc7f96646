import { expect, test } from "vitest";
import { failure, serviceForEach } from "./driver.js";

const service = serviceForEach();

const PERMISSIONS = { default_member_role: "maintainer", members_can_create_pipelines: true };
const BODY = {
  name: "Platform",
  description: "",
  privacy: "visible",
  is_default_team: false,
  ...PERMISSIONS,
};

const live = () => service.emulator.organizationData.teams.list()[0];

test("a team is not adopted without the permissions that the service does not tell", async () => {
  await service.colleague.sends("POST", "/teams", BODY);
  for (const given of [{}, { defaultMemberRole: "maintainer" }, { membersCanCreatePipelines: true }]) {
    const reasons = await service.driver.failures("Team", { name: "Platform", import: "platform", ...given });
    expect(reasons.length).toBeGreaterThan(0);
    for (const name of ["defaultMemberRole", "membersCanCreatePipelines"]) {
      if (!(name in given)) expect(reasons.join("\n")).toContain(`Team.${name}`);
    }
  }
  const { id } = await service.driver.create("Team", {
    name: "Platform",
    import: "platform",
    defaultMemberRole: "maintainer",
    membersCanCreatePipelines: true,
  });
  expect(id).toBe(live()?.id);
  expect(live()).toMatchObject(PERMISSIONS);
});

test("a permission named in ignoreChanges does not stand in for one that is given", async () => {
  await service.colleague.sends("POST", "/teams", BODY);
  const reasons = await service.driver.failures("Team", {
    name: "Platform",
    import: "platform",
    importIgnoreChanges: ["description"],
  });
  expect(reasons.join("\n")).toContain("Team.defaultMemberRole");
});

test("an update does not revert what a colleague changed by hand meanwhile", async () => {
  const { id, inputs, outs } = await service.driver.create("Team", { name: "Platform", description: "Ours" });
  const byHand = { ...BODY, description: "By hand", privacy: "secret" };
  await service.colleague.sends("PATCH", `/teams/${id}`, byHand);

  const provider = await service.newRun().kind("Team");
  const { outs: updated = {} } = await provider.update(id, outs, { ...inputs, name: "Platforms" });
  expect(live()).toMatchObject({ name: "Platforms", description: "By hand", privacy: "secret" });

  // The next refresh and preview tell what the colleague did.
  const read = await provider.read(id, updated);
  const difference = await provider.diff(id, read.props ?? {}, { ...inputs, name: "Platforms" });
  expect(difference.changes).not.toBe(false);
});

test("an update that announces a property sets it, whatever a colleague did", async () => {
  const { id, inputs, outs } = await service.driver.create("Team", { name: "Platform", description: "Ours" });
  await service.colleague.sends("PATCH", `/teams/${id}`, { ...BODY, description: "By hand" });
  const provider = await service.newRun().kind("Team");
  await provider.update(id, outs, { ...inputs, description: "Announced" });
  expect(live()).toMatchObject({ description: "Announced" });
});

test("an update of a team that cannot be read sends nothing", async () => {
  const { id, inputs, outs } = await service.driver.create("Team", { name: "Platform" });
  service.emulator.fault({ operation: "teams.get", times: 100, action: { status: 403, body: {} } });
  const provider = await service.newRun().kind("Team");
  service.emulator.clearRequests();
  expect(await failure(provider.update(id, outs, { ...inputs, name: "Platforms" }))).toContain("403");
  expect(service.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});
