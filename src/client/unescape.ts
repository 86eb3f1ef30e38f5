import { backslash, DecodedText, hexValue, lowerN, lowerR, percent } from './decodedText.ts';
import { entityCode, maxEntityLength } from './htmlEntities.ts';

const numberSign = 0x23;
const ampersand = 0x26;
const semicolon = 0x3b;
const lowerU = 0x75;
const lowerX = 0x78;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Families of escapes. They are bits, so that a number is a set of them. */
const jsonEscapes = 1;
const urlEscapes = 2;
const htmlEscapes = 4;
/** UTF-8 whose bytes are shown as characters: bytes of URLs and of base64 are decoded as Latin-1 first. */
const utf8Bytes = 8;
const asciiEscapes = jsonEscapes | urlEscapes | htmlEscapes;

/** Texts with fewer escapes: of JSON (and `\x2f` and `\u{2f}` of JavaScript), of URLs and of HTML, and with UTF-8 decoded. */
interface Unescaped {
  /**
   * The first text has all families of escapes decoded, to any depth. The others keep some families, or decode them later:
   * for `%2&#x64;` one of them has `%2d`, and not `-`. None if the text has no escapes.
   */
  readonly plain: readonly DecodedText[];
  /** The text with one layer of escapes less, in one or two ways. None if the text has one layer at most. */
  readonly once: readonly DecodedText[];
}

/** UTF-8 is left alone if nothing but ASCII matters. */
export function unescaped(text: DecodedText, { isAscii }: { readonly isAscii: boolean }): Unescaped {
  if (!hasEscapes(text)) return { plain: [], once: [] };
  const families = isAscii ? asciiEscapes : asciiEscapes | utf8Bytes;
  const whole = new Unescape(text, { families });
  const plain = whole.result.length < text.length ? [whole.result] : [];
  // Backslashes may also separate the texts around them: in `\u00\a1`, `a1` is not part of the escape.
  if (whole.hasJoined) plain.push(new Unescape(text, { families, joins: false }).result);
  for (let subset = 1; subset < whole.used; subset++) {
    if ((subset & ~whole.used) !== 0) continue;
    const part = new Unescape(text, { families: subset }).result;
    plain.push(part);
    if (!whole.isNested) continue;
    // If these families are the outermost layer, only now are the escapes of the other layers as they were written.
    plain.push(new Unescape(part, { families }).result, new Unescape(part, { families, maxDepth: 1 }).result);
  }
  if (!whole.isNested) return { plain, once: [] };
  // Bytes next to each other may belong to two layers. So one text keeps them as they are.
  const ways = (whole.used & utf8Bytes) === 0 ? [families] : [families, asciiEscapes];
  return { plain, once: ways.map(way => new Unescape(text, { families: way, maxDepth: 1 }).result) };
}

function hasEscapes({ units, length }: DecodedText): boolean {
  for (let at = 0; at < length; at++) {
    const unit = units[at]!;
    if (unit === backslash || unit === percent || unit === ampersand) return true;
  }
  return false;
}

/** The text with all UTF-8 decoded whose bytes are in it as characters of Latin-1. Undefined if there is none. */
export function utf8Decoded(text: DecodedText): DecodedText | undefined {
  if (text.units.subarray(0, text.length).every(unit => unit < 0x80)) return undefined;
  const { result } = new Unescape(text, { families: utf8Bytes, areBytes: true });
  return result.length < text.length ? result : undefined;
}

/**
 * One pass over a text that decodes some families of escapes. It also decodes an escape that a decoded character completes
 * (`%25%32%66`, `\u00%32f`) up to `maxDepth`. So by default, escapes of any depth and order go. Backslashes go as well,
 * except before letters that may belong to an escape: line breaks (`\n`) stay, because `\new` may be the end of a path.
 */
class Unescape {
  readonly result: DecodedText;
  /** The families that the text has. */
  used = 0;
  /** Whether some escapes hold decoded characters. */
  isNested = false;
  /** Whether some escapes continued after a backslash that was removed. */
  hasJoined = false;
  readonly #families: number;
  readonly #joins: boolean;
  readonly #areBytes: boolean;
  readonly #maxDepth: number;
  /** For each unit of the result, the backslashes before it: its own, those of an outer escape, and their depth. */
  readonly #ownSlashCounts: Uint32Array;
  readonly #outerSlashCounts: Uint32Array;
  readonly #slashDepths: Uint8Array;
  /** For each unit of the result, how many layers of escapes it was decoded from. */
  readonly #depth: Uint8Array;
  /** 1 for each unit of the result that is a byte, and so may belong to UTF-8. */
  readonly #isByte: Uint8Array;
  /** The backslashes since the last unit, and the start of the first. */
  #ownSlashes = 0;
  #outerSlashes = 0;
  #slashStart = 0;
  #slashDepth = 0;

  constructor(
    text: DecodedText,
    {
      families,
      areBytes = false,
      maxDepth = deepest,
      joins = true,
    }: {
      readonly families: number;
      readonly areBytes?: boolean;
      readonly maxDepth?: number;
      readonly joins?: boolean;
    },
  ) {
    this.#families = families;
    this.#joins = joins;
    this.#areBytes = areBytes;
    this.#maxDepth = maxDepth;
    this.result = new DecodedText(text.length);
    this.#ownSlashCounts = new Uint32Array(text.length);
    this.#outerSlashCounts = new Uint32Array(text.length);
    this.#slashDepths = new Uint8Array(text.length);
    this.#depth = new Uint8Array(text.length);
    this.#isByte = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) {
      this.#add(text.units[at]!, text.starts[at]!, text.ends[at]!, 0);
      while (this.#decodeLast());
    }
  }

  #add(unit: number, start: number, end: number, depth: number): void {
    if (unit === backslash && this.#has(jsonEscapes)) {
      this.used |= jsonEscapes;
      this.#addSlash(start, depth);
      return;
    }
    const { result } = this;
    const slashes = this.#ownSlashes + this.#outerSlashes;
    const first = slashes > 0 ? this.#slashStart : start;
    for (let left = this.#slashesInResult(slashes, unit); left > 0; left--) {
      this.#depth[result.length] = this.#slashDepth;
      result.push(backslash, first, first);
    }
    this.#depth[result.length] = depth;
    this.#ownSlashCounts[result.length] = this.#ownSlashes;
    this.#outerSlashCounts[result.length] = this.#outerSlashes;
    this.#slashDepths[result.length] = this.#slashDepth;
    this.#isByte[result.length] = this.#areBytes && depth === 0 ? 1 : 0;
    result.push(unit, first, end);
    this.#ownSlashes = 0;
    this.#outerSlashes = 0;
  }

  /** How many of the backslashes before a unit are in the result. */
  #slashesInResult(count: number, unit: number): number {
    // After a pass with a limit, the next one needs all of them, to find which escapes they belong to.
    if (this.#maxDepth < deepest) return count;
    return Math.min(count, mayFollowBackslash(unit) ? 1 : 0);
  }

  /** After a backslash that was escaped itself, the next one begins an escape of its own. */
  #addSlash(start: number, depth: number): void {
    if (this.#ownSlashes === 0) this.#slashStart = start;
    if (depth < this.#slashDepth) {
      this.#outerSlashes += this.#ownSlashes;
      this.#ownSlashes = 0;
    }
    this.#ownSlashes++;
    this.#slashDepth = depth;
  }

  /** Decodes the escape that the last unit completes, if it completes one. Each takes more units than it leaves. */
  #decodeLast(): boolean {
    const unit = this.result.last(0);
    if (hexValue(unit) >= 0) return this.#decodeHex();
    if (unit === semicolon) return this.#has(htmlEscapes) && this.#decodeEntity();
    if (unit === closeBrace) return this.#has(jsonEscapes) && this.#decodeBraces();
    return unit >= 0x80 && unit <= 0xbf && this.#has(utf8Bytes) && this.#decodeUtf8(unit);
  }

  #decodeHex(): boolean {
    const { result } = this;
    if (result.last(2) === percent) return this.#decodeDigits(2, 3, urlEscapes);
    if ((result.last(2) | 0x20) === lowerX && result.last(3) === backslash)
      return this.#decodeDigits(2, 4, jsonEscapes);
    if ((result.last(4) | 0x20) !== lowerU) return false;
    if (result.last(5) === backslash) return this.#decodeDigits(4, 6, jsonEscapes);
    return result.last(5) === percent && this.#decodeDigits(4, 6, urlEscapes);
  }

  #decodeDigits(digits: number, length: number, family: number): boolean {
    if (!this.#has(family)) return false;
    let code = 0;
    for (let back = digits - 1; back >= 0; back--) {
      const value = hexValue(this.result.last(back));
      if (value < 0) return false;
      code = code * 16 + value;
    }
    return this.#mayJoin(digits) && this.#replaceLast(length, code, family);
  }

  /** `\u{2f}` */
  #decodeBraces(): boolean {
    const { result } = this;
    let code = 0;
    for (let digits = 0; digits <= maxBracesDigits; digits++) {
      const unit = result.last(digits + 1);
      if (unit === openBrace && digits > 0) {
        if ((result.last(digits + 2) | 0x20) !== lowerU || result.last(digits + 3) !== backslash) return false;
        return code <= 0x10_ff_ff && this.#mayJoin(digits + 2) && this.#replaceLast(digits + 4, code, jsonEscapes);
      }
      const value = hexValue(unit);
      if (value < 0) return false;
      code += value * 16 ** digits;
    }
    return false;
  }

  /** Whether the last `count` units may belong to one escape. */
  #mayJoin(count: number): boolean {
    const { length } = this.result;
    for (let at = length - count; at < length; at++) {
      const slashes = this.#ownSlashCounts[at]! + this.#outerSlashCounts[at]!;
      if (slashes === 0) continue;
      this.hasJoined = true;
      return this.#joins;
    }
    return true;
  }

  #decodeEntity(): boolean {
    const { result } = this;
    for (let back = 1; back <= maxEntityLength + 1; back++) {
      const unit = result.last(back);
      if (unit === ampersand) {
        const code = entityCode(result.slice(result.length - back, result.length - 1));
        return code !== undefined && this.#mayJoin(back) && this.#replaceLast(back + 1, code, htmlEscapes);
      }
      if (!isAlphanumeric(unit) && unit !== numberSign) return false;
    }
    return false;
  }

  /** `unit` is a byte that continues a character. */
  #decodeUtf8(unit: number): boolean {
    const { result } = this;
    if (this.#isByte[result.length - 1] === 0) return false;
    let code = unit & 0x3f;
    for (const [nth, { lead, mask, minCode }] of utf8Leads.entries()) {
      const back = nth + 1;
      const byte = result.last(back);
      if (byte < 0x80 || this.#isByte[result.length - 1 - back] === 0) return false;
      const isLead = (byte & ~mask) === lead;
      code |= (byte & (isLead ? mask : 0x3f)) << (6 * back);
      if (isLead && code >= minCode && code <= 0x10_ff_ff) return this.#replaceLast(back + 1, code, utf8Bytes);
      if (byte > 0xbf) return false;
    }
    return false;
  }

  /** Puts one character in the place of the last `count` units. False if that goes too deep. */
  #replaceLast(count: number, code: number, family: number): boolean {
    const { result } = this;
    const at = result.length - count;
    let depth = 0;
    for (let part = at; part < result.length; part++) depth = Math.max(depth, this.#depth[part]!);
    // The bytes of a character are one layer with the escapes of the bytes.
    if (family !== utf8Bytes) depth = Math.min(depth + 1, deepest);
    if (depth > this.#maxDepth) return false;
    if (depth > 1) this.isNested = true;
    this.used |= family;
    // The letter of an escape of JSON, and not its backslash, knows how many backslashes there were.
    const owner = family === jsonEscapes ? at + 1 : at;
    const own = this.#ownSlashCounts[owner]!;
    const outer = this.#outerSlashCounts[owner]!;
    const start = result.starts[owner]!;
    const end = result.ends[result.length - 1]!;
    if (family === jsonEscapes) {
      this.#ownSlashes = slashesLeft(own) + outer;
      this.#outerSlashes = 0;
      this.#slashDepth = depth;
    } else {
      this.#ownSlashes = own;
      this.#outerSlashes = outer;
      this.#slashDepth = this.#slashDepths[owner]!;
    }
    // The backslashes go too. The ones that are left come back with the decoded character.
    const first = owner - this.#slashesInResult(own + outer, result.units[owner]!);
    result.length = first;
    this.#slashStart = start;
    if (code <= 0xff_ff) {
      this.#add(code, start, end, depth);
      if (result.length > first) this.#isByte[result.length - 1] = family === urlEscapes && code <= 0xff ? 1 : 0;
    } else {
      this.#add(0xd7_c0 + (code >> 10), start, end, depth);
      this.#add(0xdc_00 + (code & 0x3_ff), start, end, depth);
    }
    return true;
  }

  #has(family: number): boolean {
    return (this.#families & family) !== 0;
  }
}

/** The digits of a character may begin with zeros. */
const maxBracesDigits = 32;

/** Deeper layers count as this one. */
const deepest = 255;

/** The first bytes of characters of two, three and four bytes. */
const utf8Leads = [
  { lead: 0xc0, mask: 0x1f, minCode: 0x80 },
  { lead: 0xe0, mask: 0x0f, minCode: 0x8_00 },
  { lead: 0xf0, mask: 0x07, minCode: 0x1_00_00 },
] as const;

/** How many of the backslashes before an escape stay after it is decoded: `\\u0041` is A, and `\\\u0041` is `\A`. */
function slashesLeft(count: number): number {
  let odd = count;
  while (odd > 0 && odd % 2 === 0) odd /= 2;
  return (odd - 1) / 2;
}

function mayFollowBackslash(unit: number): boolean {
  const letter = unit | 0x20;
  return letter === lowerU || letter === lowerX || unit === lowerN || unit === lowerR;
}

const isAlphanumeric = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a);
