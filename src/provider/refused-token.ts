import { AuthenticationError } from "../client/index.js";
import type { Session } from "./session.js";

/**
 * Does what a refresh or a destroy asks for. They use the settings that the last deployment left in the state, so where
 * the access token among those is refused, correcting the stack's configuration does not help.
 */
export async function withSettingsOfState<Result>(
  session: Session,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const deploying = session.ownership.knowsProgram;
    if (deploying || session.settings.accessTokenFrom !== "configuration") throw error;
    if (!(error instanceof AuthenticationError)) throw error;
    const said = error.serviceMessage.replace(/[.\s]*$/, "");
    throw new Error(
      `${error.method} ${error.path} failed with 401: ${said}. Pulumi refreshes and destroys with the settings of the ` +
        "last `pulumi up`, and not with what the stack's configuration says today: where the access token was exchanged " +
        "since, add --run-program, or deploy first. An access token that is in the environment " +
        "(BUILDPIPELINE_ACCESS_TOKEN) and not in the configuration is always today's.",
      { cause: error },
    );
  }
}
