/**
 * The values of a team's `privacy`. A plain string does as well. Pulumi writes these names after `pulumi import`.
 *
 * @example new Team("owners", { name: "Owners", privacy: TeamPrivacy.Secret })
 */
export const TeamPrivacy = { Visible: "visible", Secret: "secret" } as const;

/** The values of a team's `defaultMemberRole`, as {@link TeamPrivacy} has those of `privacy`. */
export const TeamDefaultMemberRole = { Member: "member", Maintainer: "maintainer" } as const;
