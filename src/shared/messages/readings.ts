/** A text that a message says, maybe in a code. */
export interface DecodedReading {
  readonly text: string;
  /** Equal for readings of the same part of the message. */
  readonly part: string;
  /** Returns where each unit begins and ends in the message. Few readings have something to find. */
  readonly places: () => Places;
}

interface Places {
  readonly from: number[];
  readonly to: number[];
}

const NAMED = new Map(
  (
    "Tab\t NewLine\n excl! quot\" num# dollar$ percnt% amp& apos' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; " +
    "lt< equals= gt> quest? commat@ lsqb[ bsol\\ rsqb] Hat^ lowbar_ grave` lcub{ vert| rcub} nbsp\u00a0"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, -1).toLowerCase(), entry.slice(-1)]),
);
const CONTROL = new Map([..."nrtbfv0"].map((letter) => [letter, " "]));

function character(digits: string, radix: number): string | undefined {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

type Coding = readonly [pattern: RegExp, decode: (code: string) => string | undefined];

/** Each decodes one character. Bytes become characters of Latin-1 first, of which UTF-8 is a code as well. */
const CODINGS: readonly Coding[] = [
  // HTML and XML, also `&AMP` in capitals and without its end.
  [
    /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});?/gi,
    (code) => {
      const [, hex, decimal, name = ""] = /^&(?:#x([^;]+)|#([^;]+)|([^;]+))/i.exec(code) ?? [];
      if (hex !== undefined) return character(hex, 16);
      return decimal === undefined ? NAMED.get(name.toLowerCase()) : character(decimal, 10);
    },
  ],
  // Addresses.
  [/%(?:u[\da-f]{4}|[\da-f]{2})/gi, (code) => character(code.replace(/^%u?/i, ""), 16)],
  // JSON, programs, and what `visible` makes.
  [
    /\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2}|["'`\\/nrtbfv0])/gi,
    (code) => {
      const digits = /^\\[ux]\{?([\da-f]+)/i.exec(code)?.[1];
      return digits === undefined ? (CONTROL.get(code.slice(1)) ?? code.slice(1)) : character(digits, 16);
    },
  ],
  [
    /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g,
    (code) => Buffer.from(code, "latin1").toString("utf8"),
  ],
];

/** At least four bytes in base64, for addresses or not. */
const BASE64 = /[\w+/-]{6,}={0,2}/g;

/** Units to decode for each one of a message, and for a short message. Only a hostile message has more. */
const MOST_WORK = 50;
const LEAST_WORK = 100_000;

/** Returns everything that a message says: as it is, and decoded in any order. Undefined if that is too much. */
export function readingsOf(message: string): DecodedReading[] | undefined {
  const readings: DecodedReading[] = [];
  const seen = new Set<string>();
  const add = (reading: DecodedReading) => {
    const key = `${reading.part} ${reading.text}`;
    if (!seen.has(key)) readings.push(reading);
    seen.add(key);
  };
  add(asItIs(message));
  let work = MOST_WORK * message.length + LEAST_WORK;
  // The list grows while it is read.
  for (const reading of readings) {
    work -= reading.text.length;
    if (work < 0) return undefined;
    for (const coding of CODINGS) {
      const decoded = decodedBy(coding, reading);
      if (decoded !== undefined) add(decoded);
    }
    for (const { 0: code, index } of reading.text.matchAll(BASE64))
      for (const skipped of [0, 1, 2, 3]) add(fromBase64(reading, code, index, skipped));
  }
  return readings;
}

function asItIs(text: string): DecodedReading {
  const from = once(() => Array.from({ length: text.length }, (_, index) => index));
  return { text, part: "", places: once(() => ({ from: from(), to: from().map((index) => index + 1) })) };
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function decodedBy(
  [pattern, decode]: Coding,
  { text, part, places }: DecodedReading,
): DecodedReading | undefined {
  const codes: Code[] = [];
  const decoded = text.replace(pattern, (code: string, start: number) => {
    const shown = decode(code);
    if (shown === undefined) return code;
    codes.push({ start, end: start + code.length, length: shown.length });
    return shown;
  });
  if (codes.length === 0) return undefined;
  return { text: decoded, part, places: once(() => placesAfter(places(), codes)) };
}

/** A code in a text, and the length of what it stands for. */
interface Code {
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

function placesAfter({ from, to }: Places, codes: readonly Code[]): Places {
  const next: Places = { from: [], to: [] };
  let done = 0;
  const copyUntil = (end: number) => {
    for (; done < end; done++) {
      next.from.push(from[done] ?? 0);
      next.to.push(to[done] ?? 0);
    }
  };
  for (const { start, end, length } of codes) {
    copyUntil(start);
    for (let unit = 0; unit < length; unit++) {
      next.from.push(from[start] ?? 0);
      next.to.push(to[end - 1] ?? 0);
    }
    done = end;
  }
  copyUntil(from.length);
  return next;
}

/** Returns bytes of what may be base64. Its beginning may be cut off, so bytes may begin at any of four characters. */
function fromBase64(
  { part, places }: DecodedReading,
  code: string,
  index: number,
  skipped: number,
): DecodedReading {
  const text = Buffer.from(code.slice(skipped), "base64").toString("latin1");
  const placeOf = (bits: number) => index + skipped + Math.floor(bits / 6);
  const placesOfBytes = () => {
    const { from, to } = places();
    const bytes = Array.from(text, (_, byte) => byte);
    // The last byte takes the end of the code with it.
    const endOf = (byte: number) =>
      byte + 1 < text.length ? placeOf(byte * 8 + 7) : index + code.length - 1;
    return {
      from: bytes.map((byte) => from[placeOf(byte * 8)] ?? 0),
      to: bytes.map((byte) => to[endOf(byte)] ?? 0),
    };
  };
  return { text, part: `${part}/${index}+${skipped}`, places: once(placesOfBytes) };
}

/** Blanks, which forms send as `+`, and characters that have a form in lower case, without accents, or composed. */
const FOLDED: Coding = [
  /[\s+\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]+|[A-Z]|[^ -~]/gu,
  (one) => (BLANK.test(one) ? " " : one.toWellFormed().normalize("NFKD").toUpperCase().toLowerCase()),
];
const BLANK = /^[\s+\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]/u;

/** Returns a reading in lower case, with one blank for several. What looks alike is then equal. */
export function folded(reading: DecodedReading): DecodedReading {
  return decodedBy(FOLDED, reading) ?? reading;
}

export function foldedText(text: string): string {
  return folded(asItIs(text)).text;
}
