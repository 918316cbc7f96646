import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("Awkward text from the service, with the %s backend", (backend) => {
  const { Cluster } = classesOf[backend];
  const stack = TestStack.forAll();
  const program = async () => {
    new Cluster("main", { name: "Main" });
  };

  test("an error whose 500th unit is half an emoji ends `pulumi up`", async () => {
    const message = `${"x".repeat(499)}😀${"y".repeat(30)}`;
    stack.emulator.fault({
      operation: "clusters.create",
      action: { status: 422, body: { message } },
    });
    expect(await stack.refused(stack.up(program))).toContain(`${"x".repeat(400)}`);
    expect(await stack.state()).toEqual({});
  });

  test("half an emoji in an object is recorded as U+FFFD", async () => {
    stack.emulator.fault({
      operation: "clusters.create",
      action: {
        change: (body) => ({ ...Object(body), created_by: { id: "u", name: "half \ud83d", email: "e" } }),
      },
    });
    await stack.up(program);
    expect(JSON.stringify(await stack.state())).toContain("half \ufffd");
  });
});
