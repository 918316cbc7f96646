/** Values of every JSON type, nested ones too. Some are right for some fields, and then change nothing either. */
export const VALUES: readonly unknown[] = [
  null,
  true,
  7,
  "odd",
  [],
  ["odd", { id: 7 }],
  {},
  { id: { odd: [7] } },
];

export type Path = readonly string[];

/** Returns a function that puts a value into an object, or each object of a list. */
export function putting(path: Path, value: unknown): (body: unknown) => unknown {
  const [name = "", ...rest] = path;
  return (body) => {
    if (Array.isArray(body)) return body.map(putting(path, value));
    if (typeof body !== "object" || body === null) return body;
    return { ...body, [name]: rest.length === 0 ? value : putting(rest, value)(Reflect.get(body, name)) };
  };
}

export function pathsIn(body: object): Path[] {
  return Object.entries(body).flatMap(([name, value]) => [
    [name],
    ...(typeof value === "object" && value !== null && !Array.isArray(value)
      ? pathsIn(value).map((path) => [name, ...path])
      : []),
  ]);
}

export const isInnermost = (path: Path, _: number, all: readonly Path[]) =>
  !all.some((other) => other.length > path.length && path.every((name, index) => other[index] === name));
