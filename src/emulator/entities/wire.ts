import { z } from "zod";

/** A UUID. */
export const uuid = z.uuid();
/** An ISO 8601 time in UTC. */
export const timestamp = z.iso.datetime();
/** An address under the service's base address. */
export const address = z.string().meta({ format: "uri" });
/** The opaque second identifier. */
export const opaqueId = z.string().meta({ description: "Opaque identifier." });
/** Text that may be unset. */
export const unsettable = z.string().nullable().optional();
