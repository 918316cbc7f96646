import type { Emulator } from "./emulator.js";
import type { Gateway } from "./http/gateway.js";
import { operations } from "./sections.js";

const base = "http://localhost";

/** Carries out operations without the network. */
export function performer(gateway: Gateway, slug: string, ownToken: string): Emulator["perform"] {
  return (id, { params = {}, body, accessToken = ownToken } = {}) => {
    const operation = operations.find((candidate) => candidate.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const all = { org_slug: slug, ...params };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = Object.hasOwn(all, name) ? Reflect.get(all, name) : undefined;
      if (typeof value !== "string") throw new Error(`${id} needs the parameter ${name}.`);
      return encodeURIComponent(value);
    });
    const answer = gateway.answer(
      { operation, params: all, base, path, query: "" },
      { token: gateway.tokenOf(accessToken), refusal: undefined },
      { json: body, size: 0 },
    );
    return { status: answer.status, body: answer.body === null ? undefined : JSON.parse(answer.body) };
  };
}
