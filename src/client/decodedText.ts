/**
 * A text, and for each of its UTF-16 units the range of the original text that it was decoded from. So a secret that is found
 * in the decoded text can be blanked in the original.
 */
export class DecodedText {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  length = 0;

  /** Empty, with room for this number of units. */
  constructor(room: number) {
    this.units = new Uint16Array(room);
    this.starts = new Uint32Array(room);
    this.ends = new Uint32Array(room);
  }

  static of(original: string): DecodedText {
    const text = new DecodedText(original.length);
    for (let at = 0; at < original.length; at++) text.push(original.charCodeAt(at), at, at + 1);
    return text;
  }

  push(unit: number, start: number, end: number): void {
    this.units[this.length] = unit;
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.length++;
  }

  /** The unit `back` places before the end; -1 if there is none. */
  last(back: number): number {
    return this.length > back ? this.units[this.length - 1 - back]! : -1;
  }

  slice(from: number, to: number): string {
    return String.fromCharCode(...this.units.subarray(from, to));
  }
}

const blank = 0x20;
const plus = 0x2b;
export const percent = 0x25;
export const backslash = 0x5c;
export const lowerN = 0x6e;
export const lowerR = 0x72;

/** The text in lower case and without backslashes, with the place in `text` of each of its units. */
export interface FoldedText {
  readonly folded: string;
  readonly places: Uint32Array;
}

/** As texts are compared. A `+` is a blank in forms, so both are the same. */
export function fold(text: DecodedText): FoldedText {
  let units = new Uint16Array(text.length + mostFolded);
  let places = new Uint32Array(text.length + mostFolded);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.units[at]!;
    if (length + mostFolded > units.length) {
      units = copyInto(units, new Uint16Array(units.length * 2));
      places = copyInto(places, new Uint32Array(units.length));
    }
    if (unit < 0x80) {
      if (unit === backslash) continue;
      units[length] = foldedAscii[unit]!;
      places[length++] = at;
    } else {
      const piece = foldedCharacter(unit);
      for (let nth = 0; nth < piece.length; nth++) {
        units[length] = piece.charCodeAt(nth);
        places[length++] = at;
      }
    }
  }
  const folded = Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
  return { folded, places: places.subarray(0, length) };
}

/** A character has at most three in upper case, and each of them at most three in lower case. */
const mostFolded = 9;

function copyInto<T extends Uint16Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

const foldedAscii = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  unit === plus ? blank : String.fromCharCode(unit).toLowerCase().charCodeAt(0),
);

/** Through upper case, because ß is SS there, and µ is another letter. */
const foldedCharacter = (unit: number): string => String.fromCharCode(unit).toUpperCase().toLowerCase();

/** -1 for anything but a hexadecimal digit. */
export function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
