import { z } from "zod";
import { clearableText } from "./model/body.js";
import { validationFailed } from "./model/refusals.js";

/** What a queue of agents that Buildkite runs has. Null or left out for a queue of one's own agents. */
export interface HostedQueue {
  /** As `LINUX_AMD64_2X4`. */
  readonly hosted_shape?: string | null;
  readonly agent_image_ref?: string | null;
}

const sizes = ["2X4", "4X16", "8X32", "16X64", "32X128", "64X256"];
const shapes = [
  ...sizes.map((size) => `LINUX_AMD64_${size}`),
  ...sizes.map((size) => `LINUX_ARM64_${size}`),
  "MACOS_ARM64_M4_6X28",
  "MACOS_ARM64_M4_12X56",
];

const shown = z.object({
  instance_shape: z.object({
    machine_type: z.string(),
    architecture: z.string(),
    cpu: z.int(),
    memory: z.int(),
    name: z.string(),
  }),
  platform_settings: z
    .object({ linux: z.object({ agent_image_ref: z.string().nullable() }) })
    .partial()
    .optional(),
});

export const hostedAgentsSchema = shown.optional();

export const hostedAgentsBody = z
  .object(
    { instanceShape: z.string({ error: "must be a string" }), agentImageRef: clearableText },
    {
      error: "must be an object",
    },
  )
  .partial();

type Body = z.output<typeof hostedAgentsBody>;

export function showHostedAgents({
  hosted_shape,
  agent_image_ref,
}: HostedQueue): z.output<typeof shown> | undefined {
  if (hosted_shape == null) return undefined;
  const [machine = "", architecture = ""] = hosted_shape.split("_");
  const [cpu = 0, memory = 0] = (hosted_shape.split("_").at(-1) ?? "").split("X").map(Number);
  const machine_type = machine.toLowerCase();
  const instance_shape = {
    machine_type,
    architecture: architecture.toLowerCase(),
    cpu,
    memory,
    name: hosted_shape,
  };
  if (machine_type !== "linux") return { instance_shape };
  return { instance_shape, platform_settings: { linux: { agent_image_ref: agent_image_ref ?? null } } };
}

/** A new queue has the default image, whatever is asked for. */
export function newHostedQueue(given: Body | undefined): HostedQueue {
  if (given === undefined) return {};
  const { instanceShape } = given;
  if (instanceShape === undefined) throw validationFailed("Instance shape can't be blank");
  if (!shapes.includes(instanceShape)) throw validationFailed("Instance shape is not included in the list");
  return { hosted_shape: instanceShape, agent_image_ref: null };
}

/** Only the size changes: neither the machine's type nor its architecture, and no queue becomes hosted. */
export function changedHostedQueue({ hosted_shape }: HostedQueue, given: Body | undefined): HostedQueue {
  if (given === undefined) return {};
  const { instanceShape = "", agentImageRef } = given;
  const kindOf = (shape: string) => shape.split("_").slice(0, 2).join("_");
  const isPossible = shapes.includes(instanceShape) && kindOf(instanceShape) === kindOf(hosted_shape ?? "");
  if (!isPossible) throw validationFailed(`Instance shape cannot be changed to ${instanceShape}`);
  if (agentImageRef !== undefined && instanceShape.startsWith("MACOS")) {
    throw validationFailed("Agent image ref cannot be configured for hosted mac queues");
  }
  return {
    hosted_shape: instanceShape,
    ...(agentImageRef !== undefined && { agent_image_ref: agentImageRef }),
  };
}
