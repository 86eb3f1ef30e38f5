import { base64Decoded, forEachBase64Run } from './base64Runs.ts';
import { DecodedText, fold, type FoldedText } from './decodedText.ts';
import { unescaped, utf8Decoded } from './unescape.ts';

/** A part of a text, from its first unit to just past its last. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Base64 in base64 is decoded to this depth. */
const maxLayers = 4;

/** A longer run in the innermost layer may hide base64 once more. A shorter one comes about by chance. */
const suspiciousRun = 32;

/** Shorter secrets are not searched for in base64, where they would be found by chance. */
const minBase64Secret = 4;

/** The number of layers of escapes in escapes that are decoded one after the other. */
const maxNesting = 6;

/**
 * The search gives up when the texts that it decodes have more units together. The texts of one answer share this limit.
 * Ordinary texts take up to 35 for each of their units.
 */
const maxWork = 600_000;

/** The work that remains for some texts. Texts of one answer share it, or many short ones would block the process. */
export interface SearchWork {
  remaining: number;
}

export const newSearchWork = (): SearchWork => ({ remaining: maxWork });

/** The most units of an escape that is cut off, or that takes a part of a secret. */
const longestEscape = 40;

/** The end of an escape, at the start of a secret: `%` before `deadbeef` takes two letters of it. */
const escapeEnd = /^(?:#?[a-z\d]{0,31};|u[\da-f]{0,4}|x[\da-f]{0,2}|[\da-f]{1,4}|[\u0080-\u00bf]{1,3})/i;

/** The start of an escape, at the end of a secret or of a text that is cut off. */
const escapeStart =
  /(?:%(?:u[\da-f]{0,3}|[\da-f]?)|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&#?[a-z\d]{0,31}|[\u00c2-\u00f4][\u0080-\u00bf]{0,2})$/i;

/** The middle part of a secret stands for the secret if it has at least this number of units. */
const minMiddle = 8;

/** A form of a secret that is searched for in decoded texts. */
interface Needle {
  readonly folded: string;
  /** The fewest units, or bytes in base64, that show it. */
  readonly size: number;
  /** The most units. */
  readonly length: number;
  /** How many units on each side belong to the secret too. */
  readonly unitsBefore: number;
  readonly unitsAfter: number;
}

/**
 * Finds secrets in texts, also where they are escaped for JSON, URLs or HTML or written in base64, in any mixture and in any
 * case. It has no list of spellings: it decodes the text, and compares normal forms.
 */
export class SecretSearch {
  readonly #needles: readonly Needle[];
  readonly #shortest: number;
  readonly #isAscii: boolean;

  constructor(secrets: readonly string[]) {
    this.#isAscii = secrets.every(hasOnlyAscii);
    this.#needles = secrets.flatMap(secret => formsOf(secret).concat(middleOf(secret)));
    this.#shortest = Math.min(...this.#needles.map(({ size }) => size));
  }

  /** Whether there is anything to find. */
  get isEmpty(): boolean {
    return this.#needles.length === 0;
  }

  /**
   * The parts of a text to blank, in order. Undefined if that is in doubt. `isCut` says that the text is the beginning of a
   * longer one: then the beginning of a secret at its end counts too.
   */
  partsToBlank(
    original: string,
    { isCut, work }: { readonly isCut: boolean; readonly work: SearchWork },
  ): readonly Part[] | undefined {
    if (this.isEmpty || (original.length < this.#shortest && !isCut)) return [];
    const search = new TextSearch(this.#needles, {
      length: original.length,
      isCut,
      isAscii: this.#isAscii,
      work,
    });
    return search.run(DecodedText.of(original), 0) ? mergeParts(search.parts) : undefined;
  }
}

const hasOnlyAscii = (text: string): boolean => /^[\0-\u007f]*$/.test(text);

const plainTexts = (text: DecodedText): readonly DecodedText[] => unescaped(text, { isAscii: false }).plain;

/** A secret as it is, read as UTF-8, and as a JSON string, where a tab is `\t`; and without what looks like escapes. */
function formsOf(secret: string): Needle[] {
  const text = DecodedText.of(secret);
  const texts = [text, utf8Decoded(text) ?? text, DecodedText.of(JSON.stringify(secret).slice(1, -1))];
  const forms = new Map<string, Needle>();
  for (const form of texts.concat(texts.flatMap(plainTexts))) {
    const { folded } = fold(form);
    const size = Math.min(form.length, forms.get(folded)?.size ?? Infinity);
    const length = Math.max(form.length, forms.get(folded)?.length ?? 0);
    if (folded !== '') forms.set(folded, { folded, size, length, unitsBefore: 0, unitsAfter: 0 });
  }
  return [...forms.values()];
}

/** A secret without the ends that a half escape beside it would take. */
function middleOf(secret: string): Needle[] {
  const unitsBefore = escapeEnd.exec(secret)?.[0].length ?? 0;
  const unitsAfter = escapeStart.exec(secret.slice(unitsBefore).slice(-longestEscape))?.[0].length ?? 0;
  const text = DecodedText.of(secret.slice(unitsBefore, secret.length - unitsAfter));
  const middle = plainTexts(text)[0] ?? text;
  const { folded } = fold(middle);
  return unitsBefore + unitsAfter > 0 && folded.length >= minMiddle
    ? [{ folded, size: middle.length, length: middle.length, unitsBefore, unitsAfter }]
    : [];
}

interface TextSearchOptions {
  readonly length: number;
  readonly isCut: boolean;
  readonly isAscii: boolean;
  readonly work: SearchWork;
}

/** The search in one text. */
class TextSearch {
  readonly parts: Part[] = [];
  readonly #needles: readonly Needle[];
  readonly #base64Needles: readonly Needle[];
  readonly #minRun: number;
  readonly #length: number;
  readonly #isCut: boolean;
  readonly #isAscii: boolean;
  readonly #work: SearchWork;

  constructor(needles: readonly Needle[], { length, isCut, isAscii, work }: TextSearchOptions) {
    this.#needles = needles;
    this.#base64Needles = needles.filter(needle => needle.length >= minBase64Secret);
    const fewestBytes = isCut ? minCutSecret : Math.min(...this.#base64Needles.map(({ size }) => size));
    this.#minRun = Math.ceil((fewestBytes * 8) / 6);
    this.#length = length;
    this.#isCut = isCut;
    this.#isAscii = isAscii;
    this.#work = work;
  }

  /** False if the text has more layers, or takes more work, than an honest text. */
  run(text: DecodedText, layer: number): boolean {
    const inUtf8 = this.#isAscii ? undefined : utf8Decoded(text);
    return this.#runEscaped(text, layer, 0) && (!inUtf8 || this.#runEscaped(inUtf8, layer, 0));
  }

  #runEscaped(text: DecodedText, layer: number, nesting: number): boolean {
    const { plain, once } = unescaped(text, { isAscii: this.#isAscii });
    const texts = [text, ...plain];
    for (const reading of texts) {
      this.#work.remaining -= reading.length;
      if (this.#work.remaining < 0) return false;
      this.#find(reading, layer > 0);
    }
    if (once.length > 0 && nesting === maxNesting) return false;
    if (!once.every(outer => this.#runEscaped(outer, layer, nesting + 1))) return false;
    if (this.#base64Needles.length === 0) return true;
    if (layer === maxLayers) return !texts.some(hasLongRun);
    return texts.every(reading => base64Decoded(reading, this.#minRun).every(decoded => this.run(decoded, layer + 1)));
  }

  #find(text: DecodedText, isBase64: boolean): void {
    const foldedText = fold(text);
    const { folded, places } = foldedText;
    const needles = isBase64 ? this.#base64Needles : this.#needles;
    for (const needle of needles) {
      const { length } = needle.folded;
      for (let at = folded.indexOf(needle.folded); at !== -1; at = folded.indexOf(needle.folded, at + 1)) {
        const first = Math.max(places[at]! - needle.unitsBefore, 0);
        const last = Math.min(places[at + length - 1]! + needle.unitsAfter, text.length - 1);
        this.parts.push({ start: text.starts[first]!, end: text.ends[last]! });
      }
      if (this.#isCut) this.#findCut(text, foldedText, { needle, minLength: isBase64 ? minCutSecret : 1 });
    }
  }

  /** Finds the beginning of a secret at the end of a text, also before an escape that is cut off. */
  #findCut(
    text: DecodedText,
    { folded, places }: FoldedText,
    { needle, minLength }: { readonly needle: Needle; readonly minLength: number },
  ): void {
    if (text.length === 0 || text.ends[text.length - 1]! + longestEscape < this.#length) return;
    const halfEscape = escapeStart.exec(text.slice(Math.max(text.length - longestEscape, 0), text.length))?.[0].length;
    for (const end of [text.length, text.length - (halfEscape ?? 0)]) {
      let to = folded.length;
      while (to > 0 && places[to - 1]! >= end) to--;
      for (let length = Math.min(needle.folded.length - 1, to); length >= minLength; length--) {
        if (!folded.startsWith(needle.folded.slice(0, length), to - length)) continue;
        this.parts.push({ start: text.starts[places[to - length]!]!, end: this.#length });
        break;
      }
    }
  }
}

/** The beginning of a secret must have this number of units to be found in base64. */
const minCutSecret = 3;

function hasLongRun(text: DecodedText): boolean {
  let found = false;
  forEachBase64Run(text, suspiciousRun, () => {
    found = true;
  });
  return found;
}

/** Sorts the parts. Parts that overlap or touch become one. */
function mergeParts(parts: readonly Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && part.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, part.end) };
    else merged.push(part);
  }
  return merged;
}
