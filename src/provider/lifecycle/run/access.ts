import { AuthenticationError } from "../../../client/index.js";
import type { Settings } from "../../../shared/configuration/settings.js";
import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import { withCode, withCodeOf } from "../../../shared/protocol/message-codes.js";
import { organizationAt } from "../../../shared/protocol/properties.js";
import type { Problem } from "../../kind/argument-problems.js";
import type { AnyKind } from "../../kind/kind.js";
import { missingScopes, scopesInWords } from "../values/kinds.js";
import type { CheckRequest, ResourceState } from "../values/state.js";
import { isUnreachable, messageOf } from "./errors.js";
import type { Session } from "./session.js";

/**
 * Reports why the access token can't deploy a resource. One without changes (no `need`) takes read scopes only, so that it
 * can be previewed with an access token that can't write, and without the API. A read-only run never needs more.
 */
export async function missingAccess(
  { service, reporter }: Session,
  kind: AnyKind,
  need: "read" | "write" | undefined,
): Promise<Problem[]> {
  const { scopes, failure } = await service.access();
  if (scopes === undefined) {
    if (need !== undefined && isUnreachable(failure))
      return [{ argument: "", text: unreachable(kind, failure) }];
    const text =
      "The scopes of the access token could not be read, so a missing scope fails only when it is needed.";
    reporter.warnOfAll(withCodeOf(`${text} ${messageOf(failure)}`, failure));
    return [];
  }
  const writing = need === "write" && !service.settings.readOnly;
  const missing = missingScopes([...kind.scopes.read, ...(writing ? kind.scopes.write : [])], scopes);
  if (missing.length === 0) return [];
  const text =
    // Error scope-missing: The API access token lacks a [scope](settings.md#scopes) that this resource needs. A preview
    // doesn't check the scopes of deletions, so this error can also come from the deployment.
    // Fix: Add the scope to the token, or use another token.
    `${kind.name}: the access token lacks the scope ${scopesInWords(missing)}. ` +
    `Give it that scope, or use one that has it (buildpipeline:accessToken or BUILDPIPELINE_ACCESS_TOKEN).`;
  return [{ argument: "", text: withCode(text, "scope-missing") }];
}

export function unreachable(kind: AnyKind, failure: unknown): string {
  return withCodeOf(
    `${kind.name}: the API can't be reached, so this change can't be validated. ` +
      `${messageOf(failure)} To preview without the API, set buildpipeline:offline to true (or BUILDPIPELINE_OFFLINE).`,
    failure,
  );
}

/**
 * Requires permission for another organization than the resource's: a typing error, or a colleague's environment
 * variable, could replace, forget or delete a whole organization.
 */
export function guardOrganization(
  settings: Settings,
  { kind, organization: from }: ResourceState,
  to: unknown = settings.organization,
): boolean {
  if (from === undefined || to === undefined || isUnknown(to) || from === to) return false;
  if (settings.allowOrganizationChange) return true;
  throw new Error(
    `${kind.name}: this ${kind.words.noun} is in the organization "${from}", but the settings now say "${to}". ` +
      `If that is a mistake, set buildpipeline:organization (or BUILDPIPELINE_ORGANIZATION) back to "${from}". ` +
      "To replace all resources in the other organization, set buildpipeline:allowOrganizationChange to true.",
  );
}

/**
 * A refresh, also the one before a preview, and a destroy use the settings that the last deployment left in state. If the
 * API refuses that access token, correcting the stack's configuration doesn't help.
 */
export async function explainingRefusedToken<Result>(
  { settings, entries }: Session,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isOfLastDeployment = !entries.knowsProgram && settings.accessTokenFrom === "configuration";
    if (!isOfLastDeployment || !(error instanceof AuthenticationError)) throw error;
    const said = error.serviceMessage.replace(/[.\s]*$/, "");
    throw new Error(
      `${error.method} ${error.path} failed with 401: ${said}. pulumi refresh and pulumi destroy use the configuration of ` +
        "the last pulumi up, and so do all commands if Pulumi.yaml has refresh: always. If the token was rotated since, " +
        "run pulumi up --refresh=false, pulumi refresh --run-program, or pulumi destroy --refresh=false --run-program. A " +
        "token in the environment (BUILDPIPELINE_ACCESS_TOKEN) is read each time.",
      { cause: error },
    );
  }
}

export function wrongFunctions(settings: Settings, { kind, functionsRead }: CheckRequest): Problem[] {
  const here = organizationAt(settings);
  if (typeof functionsRead !== "string" || functionsRead === here) return [];
  const text =
    `${kind.name}: the functions of this program read the organization ${functionsRead}, but this resource is in ${here}. ` +
    "Functions read the program's own environment, and resources are in what Pulumi was started with (in an inline program " +
    "of the Automation API, the workspace's envVars). Set buildpipeline:organization and buildpipeline:baseUrl in the stack's " +
    "configuration, which both use, or pass a Provider to both.";
  return [{ argument: "", text }];
}
