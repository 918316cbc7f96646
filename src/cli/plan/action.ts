/** What a deployment does to an object, the worst first. `adopt` imports it; `release` only removes it from state. */
export const ACTION_ORDER = ["delete", "replace", "update", "create", "adopt", "release"] as const;

export type Action = (typeof ACTION_ORDER)[number];

export function disappears({ action }: { readonly action: Action | undefined }): boolean {
  return action === "delete" || action === "replace";
}
