import { describe, expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { someOf } from "../../support/cases.js";
import { minimalOfAll, serviceForEach } from "../../support/driver.js";
import { BACKENDS, ResourceOfProgram } from "../../support/program.js";

const service = serviceForEach();

/** What a service may make of the milliseconds of an instant. */
const PRECISIONS = {
  "cut to whole seconds": (time: number) => Math.floor(time / 1000) * 1000,
  "rounded up to whole seconds": (time: number) => Math.ceil(time / 1000) * 1000,
};

type Precision = keyof typeof PRECISIONS;

const INSTANT = /"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g;

/** Has requests of a method show instants in another precision. */
function show(method: string, precision: Precision): void {
  const change = (body: unknown): unknown => {
    if (body === undefined) return body;
    const altered = JSON.stringify(body).replaceAll(INSTANT, (_, time: string) =>
      JSON.stringify(new Date(PRECISIONS[precision](Date.parse(time))).toISOString().replace(".000Z", "Z")),
    );
    return JSON.parse(altered);
  };
  service.emulator.fault({ method, when: "after", times: Number.POSITIVE_INFINITY, action: { change } });
}

const rows = BACKENDS.flatMap((backend) =>
  ["GET", "POST"].flatMap((method) =>
    (["cut to whole seconds", "rounded up to whole seconds"] as const).map((precision) => ({
      backend,
      method,
      precision,
    })),
  ),
).map((row, turn) => ({ ...row, turn }));

describe.each(rows)(
  "By the backend $backend, with instants $precision in responses to $method,",
  ({ backend, method, precision, turn }) => {
    const resource = (name: string) => new ResourceOfProgram(backend, service.emulator, name, service.clock);

    // Nothing deletes the organization's settings.
    const names = [...kinds.values()].flatMap(({ name, isSetting }) => (isSetting ? [] : [name]));
    test.each(someOf(names, turn))("%s stays as it is, changes and goes", async (name) => {
      const args = (await minimalOfAll(service))[name] ?? {};
      const expiring = name === "AgentToken" ? { expiresAt: "2031-01-01T00:00:00.500Z" } : {};
      // Not on a whole second, which every precision shows as it is.
      while (service.clock.now() % 1000 < 400) await service.clock.sleep(100);
      show(method, precision);
      const made = await resource(name).up({ ...args, ...expiring });
      const said: string[] = [];
      let state = made;
      for (const description of [undefined, "New", undefined, "Newer"]) {
        const it = resource(name);
        const isDescribed = kinds.get(name)?.arguments.description !== undefined;
        const next = { ...args, ...expiring, ...(isDescribed && description && { description }) };
        const preview = await it.preview(next, state);
        expect(preview.replaces).toEqual([]);
        if (description === undefined && state === made) expect(preview.changes).toBe(false);
        state = (await it.refresh(await it.up(next, state))) ?? expect.unreachable();
        said.push(...it.said);
      }
      expect(said.join("\n")).not.toMatch(/added it again|was changed|removed and added/);
      service.emulator.clearRequests();
      await resource(name).destroy(state);
      const ended = service.emulator.requests
        .filter(({ status }) => status !== null && status < 300)
        .map(({ method }) => method);
      expect(ended.some((sent) => sent !== "GET")).toBe(true);
    });
  },
);
