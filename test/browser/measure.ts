/*
 * Functions that run inside the browser: each must stand by itself.
 */

/** How many pixels the page is wider than its window. */
export function widthBeyond(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

/** The text that is hardest to read: its contrast by the WCAG's formula, against the color behind it. */
export function leastContrast(): { ratio: number; text: string } {
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element: Element | null): string => {
    if (element === null) return "rgb(255, 255, 255)";
    const color = getComputedStyle(element).backgroundColor;
    return channels(color)[3] === 0 ? behind(element.parentElement) : color;
  };
  let least = { ratio: 21, text: "" };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    if (element === null || text === "") continue;
    const pair = [luminance(getComputedStyle(element).color), luminance(behind(element))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (ratio < least.ratio) least = { ratio, text };
  }
  return least;
}
