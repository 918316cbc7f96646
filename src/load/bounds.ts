/** More open builds than this are not read: fifty pages, a minute of a user's rate limit. */
export const MOST_BUILDS = 5_000;
