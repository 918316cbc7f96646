import fc from "fast-check";
import { expect, test } from "vitest";
import { counted } from "../stories/histories/count.js";
import { shortHistory } from "../stories/histories/history.js";
import { backends } from "./backends.js";
import { playOnRealEngine } from "./histories/play.js";

const { count: COUNT, replay } = counted(2, 20261121);

test.each(backends)(
  `${COUNT} histories through the real engine lose nothing and duplicate nothing, %s backend`,
  async (backend) => {
    const total = { requests: 0, faults: 0, acts: 0 };
    await fc.assert(
      fc.asyncProperty(shortHistory, async (history) => {
        const { wrong, count } = await playOnRealEngine({ ...history, backend });
        total.requests += count.requests;
        total.faults += count.faults;
        total.acts += count.meanwhile + count.between;
        expect(wrong).toEqual([]);
      }),
      // Each try takes seconds, so a failure is reported as it is found.
      { numRuns: COUNT, endOnFailure: true, ...replay },
    );
    const { requests, faults, acts } = total;
    process.stdout.write(
      `${COUNT} histories through the real engine, ${backend} backend: ${requests} requests, ${faults} faults ` +
        `struck, others acted ${acts} times\n`,
    );
    expect(faults + acts).toBeGreaterThan(0);
  },
  7_200_000,
);
