import { expect, onTestFinished, test, vi } from "vitest";
import { checkSettings } from "../../src/commands/doctor/diagnosis.js";
import { resolveSettings } from "../../src/shared/configuration/settings.js";

const HINT = "BUILDKITE_API_TOKEN is set; this provider reads BUILDPIPELINE_ACCESS_TOKEN.";
const others = { BUILDPIPELINE_ORGANIZATION: "acme", BUILDPIPELINE_BASE_URL: "http://localhost" };

test("the variable of Buildkite's own tools is named where the access token is missing, and never used", () => {
  const given = { ...others, BUILDKITE_API_TOKEN: "bkua_secret" };
  const resolved = () => resolveSettings(() => undefined, given);
  expect(resolved).toThrow(HINT);
  expect(resolved).not.toThrow("bkua_secret");
  expect(() => resolveSettings(() => undefined, others)).not.toThrow(HINT);
  const own = { ...given, BUILDPIPELINE_ACCESS_TOKEN: "own", BUILDPIPELINE_ORGANIZATION: "" };
  expect(() => resolveSettings(() => undefined, own)).not.toThrow(HINT);
});

test("doctor says the same", () => {
  vi.stubEnv("BUILDKITE_API_TOKEN", "bkua_secret");
  onTestFinished(() => void vi.unstubAllEnvs());
  const [check] = checkSettings({ project: undefined, values: {}, unknownKeys: [], problem: undefined });
  expect(check?.message).toBe(`accessToken is not set. ${HINT}`);
});
