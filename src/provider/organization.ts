import { isUnknown } from "../protocol/encoded-values.js";
import type { AnyKind } from "../resources/kind.js";
import type { Session } from "./session.js";

/**
 * Checks whether the settings name another organization than the resource's, which must be allowed explicitly.
 * Otherwise a typing error, or a colleague's environment variable, could replace, forget or delete a whole
 * organization.
 *
 * @throws where it isn't allowed
 */
export function guardOrganization(
  session: Session,
  kind: AnyKind,
  from: string | undefined,
  to: unknown = session.settings.organization,
): boolean {
  if (from === undefined || to === undefined || isUnknown(to) || from === to) return false;
  if (session.settings.allowOrganizationChange) return true;
  throw new Error(
    `${kind.name}: this ${kind.words.noun} is in the organization "${from}", but the settings now say "${to}". ` +
      `If that is a mistake, set buildpipeline:organization (or BUILDPIPELINE_ORGANIZATION) back to "${from}". ` +
      "To replace all resources in the other organization, set buildpipeline:allowOrganizationChange to true.",
  );
}
