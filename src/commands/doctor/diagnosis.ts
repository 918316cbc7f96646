import type { ClientEvent } from "../../client/index.js";
import { connectWith, type Patience } from "../shared/pulumi/project-connection.js";
import { findSettings } from "../shared/pulumi/project-settings.js";
import { type Check, problem, skipped } from "./check.js";
import { checkLock } from "./lock.js";
import type { Intent } from "./service-checks.js";
import { checkSettings } from "./settings-checks.js";
import { checkVersions } from "./version-checks.js";

export interface DiagnosisOptions {
  /** The stack with the configuration. Default: the selected one. */
  readonly stack: string | undefined;
  readonly intent: () => Promise<Intent>;
  /** Called before each step. */
  readonly onStep: (step: string) => void;
  readonly onEvent: (event: ClientEvent) => void;
  readonly patience?: Patience;
}

/** Someone waits for the result, and a service that doesn't respond within seconds is a problem to report. */
export const PATIENCE = { timeoutMs: 10_000, maxRetries: 1 };

/** Checks what a deployment needs: settings, versions, and the service as far as the settings lead there. */
export async function diagnose({
  stack,
  intent,
  onStep,
  onEvent,
  patience = PATIENCE,
}: DiagnosisOptions): Promise<Check[]> {
  onStep("Checking settings and versions …");
  const settings = await findSettings(stack);
  const checks = [...(await checkVersions()), ...checkSettings(settings)];
  if (settings.project !== undefined && settings.problem === undefined)
    checks.push(await checkLock(settings.project));
  const { accessToken, organization, baseUrl } = settings.values;
  if (!accessToken || !organization || !baseUrl) {
    return [...checks, skipped("service", "Skipped: settings are missing.")];
  }
  onStep("Checking the API …");
  const { ConfigurationError } = await import("../../client/index.js");
  const { checkService } = await import("./service-checks.js");
  try {
    const connection = await connectWith(settings, onEvent, patience);
    try {
      return [...checks, ...(await checkService(connection, await intent()))];
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [...checks, problem("settings", error.message, "Correct the setting.")];
  }
}
