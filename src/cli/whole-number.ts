import { InvalidArgumentError } from "commander";

/** Returns the value of an option that is a whole number above 0. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError("It must be a whole number above 0.");
  return number;
}
