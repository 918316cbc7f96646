import * as z from "zod";
import { withoutCredentials } from "../../shared/messages/secrets.js";
import { type Code, readCode } from "../../shared/protocol/message-codes.js";
import { type Step, stateSchema, stepSchema } from "./state.js";

/** A message of the engine, the program or the provider. */
export interface Diagnostic {
  readonly severity: string;
  readonly message: string;
  /** The resource that it is about, if the engine names one. */
  readonly urn?: string | undefined;
  /** A dynamic provider printed it. The engine, the program and Node have warnings too, which name no resource. */
  readonly isOwn?: true;
  /** What a command acts on, where the provider's message carries it. */
  readonly code?: Code | undefined;
}

const WARNING = "warning: ";

/** What the engine writes before a message about an argument, which names the argument and its value itself. */
const PROBLEM = /^\S+ resource '([^']*)'(?:: property \S+ value \{.*?\})? has a problem: /s;

export const diagnosticSchema = z
  .object({ severity: z.string(), message: z.string(), urn: z.string().optional() })
  .transform(messagesOf);

/** The engine takes a dynamic provider's standard error for information, also lines that begin with `warning: `. */
function messagesOf({ severity, message, urn }: Diagnostic): Diagnostic[] {
  if (severity !== "info#err") {
    const [text, lead] = [plain(message), `${severity}: `];
    const own = text.startsWith(lead) ? text.slice(lead.length) : text;
    return [{ severity, urn, ...readCode(own.replace(PROBLEM, '"$1": ')) }];
  }
  return plain(message)
    .split("\n")
    .map((line) =>
      line.startsWith(WARNING)
        ? { severity: "warning", urn, isOwn: true as const, ...readCode(line.slice(WARNING.length)) }
        : { severity, urn, ...readCode(line) },
    );
}

/** Colors of the engine, such as `<{%fg 13%}>`, and those of terminals. Everything else that looks like one is text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a color of a terminal begins with one.
const COLORS = /<\{%(?:reset|bold|underline|[fb]g \d+)%\}>|\u001b\[[\d;]*m/g;

function plain(message: string): string {
  return withoutCredentials(message.replaceAll(COLORS, "")).trim();
}

/** A step as an event has it, under other names than a preview's JSON. */
const metadataSchema = stepSchema
  .pick({ op: true, urn: true, detailedDiff: true })
  .extend({
    old: stateSchema.nullish(),
    new: stateSchema.nullish(),
    keys: z.array(z.string()).nullish(),
    diffs: z.array(z.string()).nullish(),
  })
  .transform(({ old, new: next, keys, diffs, ...step }): Step => {
    return { ...step, oldState: old, newState: next, replaceReasons: keys, diffReasons: diffs };
  });
const resourceEventSchema = z.object({ metadata: metadataSchema, planning: z.boolean().optional() });
const eventSchema = z.object({
  sequence: z.number().optional(),
  resourcePreEvent: resourceEventSchema.optional(),
  resOutputsEvent: resourceEventSchema.optional(),
  resOpFailedEvent: resourceEventSchema.optional(),
  diagnosticEvent: diagnosticSchema.optional(),
  policyEvent: z
    .object({
      policyName: z.string(),
      resourceUrn: z.string().optional(),
      message: z.string().transform(plain),
      enforcementLevel: z.string(),
    })
    .optional(),
  summaryEvent: z
    .object({
      isPreview: z.boolean().optional(),
      resourceChanges: z.record(z.string(), z.number()).nullish(),
    })
    .optional(),
  /** The last event of any command, whether it succeeded or not. */
  cancelEvent: z.object({}).optional(),
});

export function engineEvent(line: unknown): z.infer<typeof eventSchema> | undefined {
  return eventSchema.safeParse(line).data;
}
