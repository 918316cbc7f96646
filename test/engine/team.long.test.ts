import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)(
  "A service that answers a team's writes with the submitted body only, %s backend",
  (backend) => {
    const { Team } = classesOf[backend];
    const stack = TestStack.forAll({ variations: { teamWriteResponse: "submitted" } });

    test("has its team found by listing, and all six properties sent each time", async () => {
      const program = (description: string) => async () => {
        const team = new Team("it", { name: "Platform", description });
        return { slug: team.slug };
      };
      expect((await stack.up(program("one"))).outputs.slug).toBe("platform");
      stack.emulator.clearRequests();
      await stack.up(program("two"));
      const update = stack.emulator.requests.find(({ method }) => method !== "GET");
      expect(update?.body).toEqual({
        name: "Platform",
        description: "two",
        privacy: "visible",
        is_default_team: false,
        default_member_role: "member",
        members_can_create_pipelines: false,
      });
      await stack.refresh({ expectNoChanges: true });
      await stack.up(undefined, { expectNoChanges: true });
    });
  },
);
