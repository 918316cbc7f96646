import { beforeAll, expect, test } from "vitest";
import { Api, team } from "../api.js";

const api = Api.forAll({ seed: false });
let cluster: string;
beforeAll(async () => {
  cluster = `/clusters/${(await api.cluster()).id}`;
});

const yaml = "steps:\n  - command: make\n";
const noTeam = "00000000-0000-4000-8000-000000000000";
const token = (allowed_ip_addresses: unknown) => ({ description: "x", allowed_ip_addresses });
const addresses = /^Allowed ip addresses must/;
const teamWithout = (name: string) => team({ [name]: undefined });
const suite = { name: "x", default_branch: "main" };

test.each<[path: string, body: unknown, reason: RegExp]>([
  ["/clusters", {}, /^Name can't be blank$/],
  ["/clusters", { name: " " }, /^Name can't be blank$/],
  ["/clusters", { name: null }, /^Name can't be blank$/],
  ["/clusters", { name: 7 }, /^Name must be a string$/],
  ["/clusters", { name: "x", description: ["y"] }, /^Description must be a string$/],
  ["/clusters", { name: "x", color: "red" }, /^Color must be a hex color code$/],
  ["/clusters", { name: "", emoji: 1 }, /^Name can't be blank, Emoji must be a string$/],
  ["/clusters", [], /^Body must be a JSON object$/],
  ["{cluster}/queues", { key: "has blank" }, /^Key can only contain/],
  ["{cluster}/queues", { key: "umlaut-ü" }, /^Key can only contain/],
  ["{cluster}/queues", { key: "dot.dot" }, /^Key can only contain/],
  ["{cluster}/queues", { key: "" }, /^Key can't be blank/],
  ["{cluster}/queues", { key: null }, /^Key can't be blank/],
  ["{cluster}/queues", { key: 7 }, /^Key must be a string/],
  ["{cluster}/tokens", token("300.0.0.1"), addresses],
  ["{cluster}/tokens", token("10.0.0.0/33"), addresses],
  ["{cluster}/tokens", token("::1"), addresses],
  ["{cluster}/tokens", token("somewhere"), addresses],
  ["{cluster}/tokens", token(["10.0.0.0/8"]), addresses],
  ["{cluster}/tokens", token(7), addresses],
  ["/pipeline-templates", { name: "x" }, /^Configuration can't be blank/],
  ["/pipeline-templates", { configuration: yaml }, /^Name can't be blank/],
  ["/pipeline-templates", { name: "x", configuration: "steps: [" }, /^Configuration is not valid YAML/],
  ["{cluster}/secrets", { key: "A", value: "x", policy: "&a [*a]" }, /^Policy must be a YAML list of rules$/],
  ["/pipeline-templates", { name: "x", configuration: { steps: [] } }, /^Configuration must be a string/],
  ["/pipeline-templates", { name: "x", configuration: yaml, available: "yes" }, /^Available must be true/],
  ["/teams", teamWithout("name"), /^Name can't be blank$/],
  ["/teams", teamWithout("privacy"), /^Privacy can't be blank$/],
  ["/teams", teamWithout("is_default_team"), /^Is default team can't be blank$/],
  ["/teams", teamWithout("default_member_role"), /^Default member role can't be blank$/],
  ["/teams", teamWithout("members_can_create_pipelines"), /^Members can create pipelines can't be blank$/],
  ["/teams", team({ privacy: "open" }), /^Privacy must be one of visible, secret$/],
  [
    "/teams",
    team({ default_member_role: "boss" }),
    /^Default member role must be one of member, maintainer$/,
  ],
  ["/teams", team({ is_default_team: "yes" }), /^Is default team must be true or false$/],
  ["/teams", team({ description: 7 }), /^Description must be a string$/],
  ["/suites", { default_branch: "main" }, /^Name can't be blank$/],
  ["/suites", { name: "x" }, /^Default branch can't be blank$/],
  ["/suites", { ...suite, team_ids: "all" }, /^Team must be an array$/],
  ["/suites", { ...suite, team_ids: [noTeam] }, /^Teams must be teams of this organization$/],
  ["/suites", { ...suite, show_api_token: "yes" }, /^Show api token must be true or false$/],
])("POST %s is refused with %j", async (path, body, reason) => {
  const before = api.emulator.snapshot();
  const { status, body: answer } = await api.send("POST", path.replace("{cluster}", cluster), body);
  const [, reasons] = /^Validation failed: (.*)$/.exec(String(Object(answer).message)) ?? [];
  expect(status).toBe(422);
  expect(reasons).toMatch(reason);
  expect(api.emulator.snapshot()).toEqual(before);
});
