import { AuthenticationError } from "../client/index.js";
import type { Session } from "./session.js";

/**
 * Does the work of a refresh or a destroy. Both use the settings that the last deployment left in state, also the
 * refresh before a preview. If the API refuses the access token among those, correcting the stack's configuration
 * doesn't help.
 */
export async function withSettingsOfState<Result>(
  session: Session,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const deploying = session.entries.knowsProgram;
    if (deploying || session.settings.accessTokenFrom !== "configuration") throw error;
    if (!(error instanceof AuthenticationError)) throw error;
    const said = error.serviceMessage.replace(/[.\s]*$/, "");
    throw new Error(
      `${error.method} ${error.path} failed with 401: ${said}. pulumi refresh and pulumi destroy use the configuration of ` +
        "the last pulumi up, and so do all commands if Pulumi.yaml has refresh: always. If the token was rotated since, " +
        "run pulumi up --refresh=false, pulumi refresh --run-program, or pulumi destroy --refresh=false --run-program. A " +
        "token in the environment (BUILDPIPELINE_ACCESS_TOKEN) is read each time.",
    );
  }
}
