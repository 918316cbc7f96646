import { isUnknown } from "../../shared/protocol/encoded-values.js";
import type { Known } from "./value-roles.js";

/** Agents that Buildkite runs, as a program states them. */
export interface Hosted {
  instanceShape: string;
  agentImageRef?: string | undefined;
}

export function hostedAgentsIn(value: unknown): Hosted | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const {
    instance_shape: shape,
    platform_settings: settings,
  }: { instance_shape?: unknown; platform_settings?: unknown } = value;
  const instanceShape = propertyOf(shape, "name");
  const agentImageRef = propertyOf(propertyOf(settings, "linux"), "agent_image_ref");
  if (typeof instanceShape !== "string") return undefined;
  return { instanceShape, ...(typeof agentImageRef === "string" && { agentImageRef }) };
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

export function withoutImage({ instanceShape }: Hosted): Hosted {
  return { instanceShape };
}

/** Returns whether a queue has what a program states, which may leave out the image. */
export function hasHosted(queue: unknown, wanted: Hosted): boolean {
  const found = hostedAgentsIn(queue);
  const image = wanted.agentImageRef;
  return (
    found?.instanceShape === wanted.instanceShape && (image === undefined || found.agentImageRef === image)
  );
}

/** Only the size of a machine can change. What the state or the preview doesn't know replaces nothing. */
export function isOtherMachine(next: Hosted | undefined, known: Known): boolean {
  if (next === undefined || isUnknown(next) || isUnknown(next.instanceShape) || known.hosted === undefined)
    return false;
  if (known.hosted !== true) return true;
  const live = propertyOf(known.hostedAgents, "instanceShape");
  return typeof live === "string" && machineOf(live) !== machineOf(next.instanceShape);
}

/** Returns a shape without its size: `LINUX_AMD64`. */
function machineOf(shape: string): string {
  return shape.replace(/_\d+X\d+$/i, "").toUpperCase();
}
