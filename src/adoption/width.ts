/** Characters of East Asian scripts and pictures, which take two columns where others take one. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

const segmenter = new Intl.Segmenter("en");

/** In how many columns of a monospaced font a text is shown, as formatters count them. */
export function width(text: string): number {
  // Most texts are plain, and segments take a large part of the time that a large program takes to write.
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) {
    columns += WIDE.test(segment) || segment.includes("\ufe0f") ? 2 : 1;
  }
  return columns;
}
