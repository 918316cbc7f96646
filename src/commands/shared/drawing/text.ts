import { blanked } from "../../../shared/messages/foreign-text.js";

/** About how wide a text is in a sans-serif font of a size, in pixels; rather too wide than too narrow. */
export function widthOf(text: string, size: number): number {
  let ems = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (
      /\p{Extended_Pictographic}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(
        segment,
      )
    ) {
      ems += 1.25;
    } else if (/[MWmw@%]/.test(segment)) ems += 0.95;
    else if (/\p{Lu}/u.test(segment)) ems += 0.72;
    else if (/[ijl.,:;|!'’ ()[\]]/.test(segment)) ems += 0.33;
    else ems += 0.6;
  }
  return Math.ceil(ems * size);
}

/**
 * Returns a text as a picture can have it. The middle of a long text is cut, because names that begin alike differ at
 * the end.
 *
 * @param longest in visible characters
 */
export function cutInMiddle(text: string, longest: number): string {
  const line = blanked(text).trim();
  const characters = [...new Intl.Segmenter().segment(line)].map(({ segment }) => segment);
  if (characters.length <= longest) return line;
  const tail = Math.floor((longest - 1) / 2);
  return `${characters.slice(0, longest - 1 - tail).join("")}…${characters.slice(-tail).join("")}`;
}
