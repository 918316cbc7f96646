/** Returns well-formed text, cut after so many characters. A character is never cut in half. */
export function cut(text: string, longest: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= longest) return whole;
  // No character has more than two units, so this holds all that can stay.
  const characters = [...whole.slice(0, 2 * longest + 2)];
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : whole;
}
