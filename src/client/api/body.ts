/** The body of a change: any field of the body may be left out, and then stays as it is. */
export type Change<Body> = { [Name in keyof Body]?: Body[Name] | undefined };
