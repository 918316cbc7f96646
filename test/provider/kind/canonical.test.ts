import { BlockList } from "node:net";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalColor,
  canonicalNetworks,
  decodeNetworks,
  isInNetwork,
  parseNetwork,
} from "../../../src/provider/kind/canonical.js";
import { pipelineSlugOf } from "../../../src/provider/kind/pipelines.js";
import { directionOfNetworks } from "../../../src/provider/kind/review.js";
import { SLUGS } from "../../support/slugs.js";

test.each(SLUGS)("the slug of a pipeline called %j is predicted as %s", (name, slug) => {
  expect(pipelineSlugOf(name)).toBe(slug);
});

const octet = fc.integer({ min: 0, max: 255 });
const address = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join("."));
const network = fc
  .tuple(address, fc.integer({ min: 0, max: 32 }))
  .map(([base, prefix]) => `${base}/${prefix}`);

describe("networks", () => {
  test("mean the same in any order, joined or not, and however often", () => {
    fc.assert(
      fc.property(fc.array(network, { minLength: 1, maxLength: 24 }), (networks) => {
        const canonical = canonicalNetworks(networks);
        expect(canonicalNetworks([...networks].reverse())).toEqual(canonical);
        expect(canonicalNetworks([...networks, ...networks])).toEqual(canonical);
        expect(canonicalNetworks(decodeNetworks(networks.join(" ")))).toEqual(canonical);
      }),
    );
  });

  test("a bare address is a /32, and nothing else", () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 31 }), (bare, prefix) => {
        expect(canonicalNetworks([bare])).toEqual(canonicalNetworks([`${bare}/32`]));
        expect(canonicalNetworks([bare])).not.toEqual(canonicalNetworks([`${bare}/${prefix}`]));
      }),
    );
  });

  test("only what is within the network matters", () => {
    expect(canonicalNetworks(["10.1.2.3/8"])).toEqual(canonicalNetworks(["10.0.0.0/8"]));
    expect(canonicalNetworks(["10.1.2.3/16"])).not.toEqual(canonicalNetworks(["10.2.0.0/16"]));
  });

  test("allow more or fewer addresses by the addresses, however they are written", () => {
    const eighths = [0, 1, 2, 3, 4, 5, 6, 7];
    const some = fc.array(fc.tuple(fc.constantFrom(...eighths), fc.integer({ min: 0, max: 3 })), {
      maxLength: 5,
    });
    const written = (all: readonly (readonly [number, number])[]) =>
      all.map(([eighth, prefix]) => `${eighth * 32}.0.0.0/${prefix}`);
    const allowed = (all: readonly (readonly [number, number])[]) =>
      eighths.filter(
        (one) => all.length === 0 || all.some(([of, prefix]) => one >> (3 - prefix) === of >> (3 - prefix)),
      );
    fc.assert(
      fc.property(some, some, (before, after) => {
        const [old, next] = [allowed(before), allowed(after)];
        const gains = next.some((one) => !old.includes(one));
        const loses = old.some((one) => !next.includes(one));
        const more = next.length === eighths.length ? "cleared" : "more";
        expect(directionOfNetworks(written(before), written(after))).toBe(
          gains ? (loses ? "changed" : more) : loses ? "less" : undefined,
        );
      }),
    );
  });

  test("of IPv6 are the same in every spelling, and contain what Node's own list finds in them", () => {
    const group = fc.constantFrom(0, 1, 0xffff, 0x2001);
    const groups = fc.array(group, { minLength: 8, maxLength: 8 });
    const prefixes = fc.integer({ min: 0, max: 128 });
    fc.assert(
      fc.property(groups, groups, prefixes, (one, other, prefix) => {
        const [long, short] = [one, other].map((all) => all.map((part) => part.toString(16)).join(":"));
        const padded = one.map((part) => part.toString(16).toUpperCase().padStart(4, "0")).join(":");
        const shortest = new URL(`http://[${long}]`).hostname.slice(1, -1);
        for (const spelling of [padded, shortest])
          expect(canonicalNetworks([`${spelling}/${prefix}`])).toEqual(
            canonicalNetworks([`${long}/${prefix}`]),
          );
        const [outer, inner] = [parseNetwork(`${long}/${prefix}`), parseNetwork(`${short}`)];
        const known = new BlockList();
        known.addSubnet(`${long}`, prefix, "ipv6");
        expect(outer && inner && isInNetwork(outer, inner)).toBe(known.check(`${short}`, "ipv6"));
      }),
    );
    expect(canonicalNetworks(["::/0"])).not.toEqual(canonicalNetworks(["0.0.0.0/0"]));
  });

  test.each([
    "10.0.0.256",
    "10.0.0",
    "10.0.0.0/33",
    "::1/129",
    "1::2::3",
    "fe80::1%lo",
    "a.b.c.d",
    "10.0.0.0/",
    "",
  ])("%j is no network", (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});

test("colors compare without case, and in both lengths", () => {
  expect(canonicalColor("#14CC80")).toBe(canonicalColor("#14cc80"));
  expect(canonicalColor("#FA0")).toBe(canonicalColor("#ffaa00"));
  expect(canonicalColor("#14cc80")).not.toBe(canonicalColor("#14cc81"));
});
