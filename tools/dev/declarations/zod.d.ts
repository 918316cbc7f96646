// The types of zod that the package's declarations name, by what their values are. zod's own declarations compile with
// few of the settings that Pulumi's users have. `npm run build` writes this file to dist, in the place of zod.
export interface ZodType<Output = unknown, Input = unknown, Internals = unknown> {
  readonly _output: Output;
  readonly _input: Input;
  readonly _internals?: Internals;
}
type Any = ZodType;
type Fields = Readonly<Record<string, Any>>;
type OptionalIn<Shape, Side extends "_output" | "_input"> = {
  [Name in keyof Shape]: Shape[Name] extends Record<Side, infer Value>
    ? undefined extends Value
      ? Name
      : never
    : never;
}[keyof Shape];
type ObjectOf<Shape extends Fields, Side extends "_output" | "_input"> = {
  [Name in Exclude<keyof Shape, OptionalIn<Shape, Side>>]: Shape[Name][Side];
} & { [Name in OptionalIn<Shape, Side>]?: Shape[Name][Side] };

export type output<Schema> = Schema extends { readonly _output: infer Output } ? Output : never;
export type input<Schema> = Schema extends { readonly _input: infer Input } ? Input : never;
export interface ZodString extends ZodType<string, string> {}
export interface ZodUUID extends ZodType<string, string> {}
export interface ZodISODateTime extends ZodType<string, string> {}
export interface ZodNumber extends ZodType<number, number> {}
export interface ZodInt extends ZodType<number, number> {}
export interface ZodBoolean extends ZodType<boolean, boolean> {}
export interface ZodUnknown extends ZodType {}
export interface ZodUndefined extends ZodType<undefined, undefined> {}
export interface ZodEnum<Values> extends ZodType<Values[keyof Values], Values[keyof Values]> {}
export interface ZodNull extends ZodType<null, null> {}
export interface ZodNullable<Inner extends Any>
  extends ZodType<Inner["_output"] | null, Inner["_input"] | null> {}
export interface ZodOptional<Inner extends Any>
  extends ZodType<Inner["_output"] | undefined, Inner["_input"] | undefined> {}
export interface ZodPrefault<Inner extends Any>
  extends ZodType<Inner["_output"], Inner["_input"] | undefined> {}
export interface ZodReadonly<Inner extends Any>
  extends ZodType<Readonly<Inner["_output"]>, Inner["_input"]> {}
export interface ZodArray<Item extends Any> extends ZodType<Item["_output"][], Item["_input"][]> {}
export interface ZodUnion<Choices extends readonly Any[]>
  extends ZodType<Choices[number]["_output"], Choices[number]["_input"]> {}
export interface ZodRecord<Key extends ZodType<PropertyKey, PropertyKey>, Value extends Any>
  extends ZodType<Record<Key["_output"], Value["_output"]>, Record<Key["_input"], Value["_input"]>> {}
export interface ZodTransform<Output, Input> extends ZodType<Output, Input> {}
export interface ZodPipe<First extends Any, Then extends Any>
  extends ZodType<Then["_output"], First["_input"]> {}
export interface ZodObject<Shape extends Fields = Fields, Config = unknown>
  extends ZodType<ObjectOf<Shape, "_output">, ObjectOf<Shape, "_input">, Config> {}
export interface $ZodTypeInternals<Output = unknown, Input = unknown> {
  readonly output: Output;
  readonly input: Input;
}
export interface ZodError {
  readonly issues: readonly unknown[];
}
export namespace core {
  export type output<Schema> = Schema extends { readonly _output: infer Output } ? Output : never;
  export type $strip = unknown;
  export type $loose = unknown;
  export type $ZodLooseShape = Fields;
  export type $ZodType<Output = unknown, Input = unknown> = ZodType<Output, Input>;
  export type $ZodTypeInternals<Output = unknown, Input = unknown> = {
    readonly output: Output;
    readonly input: Input;
  };
}
export * as z from "./zod.js";
