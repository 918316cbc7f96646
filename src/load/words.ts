import type { Figures } from "./figures.js";

/** `3 running, 12 waiting`, with "at least" where not all was read. */
export function figuresInWords(
  { running, waiting }: Pick<Figures, "running" | "waiting">,
  isComplete = true,
): string {
  const figures = `${grouped(running)} running, ${grouped(waiting)} waiting`;
  return isComplete ? figures : `at least ${figures}`;
}

/** `45 s`, `12 min`, `3 h 20 min`, `2 days`. */
export function durationInWords(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** `12,345` */
function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
