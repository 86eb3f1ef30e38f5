import { asArray, asRecord, type UnknownRecord } from '../base/decode.ts';
import { headerNames, redacted } from '../wire/headers.ts';

/** Headers whose whole value is secret. */
const secretHeaders: ReadonlySet<string> = new Set([
  headerNames.apiKey,
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
]);

/** Details of an error that nest deeper are redacted as a whole. */
const maxDepth = 100;

/** A longer text is redacted as a whole. The fields of one error share this length. */
const maxTextLength = 16 * 1024;

interface TextOptions {
  /** The text is the beginning of a longer text, and may end within a key. */
  readonly isCut?: boolean;
}

/** How many characters remain to all fields of one error. */
interface Budget {
  characters: number;
}

/** Shorter secrets occur by chance at the end of a cut text, or in a decoded text. */
const minCutSecret = 8;
const minDecodedSecret = 4;

/** The secrets in the headers of a request: a service may echo them anywhere. */
export function secretsIn(headers: Headers): string[] {
  return [...headers]
    .filter(([name]) => secretHeaders.has(name))
    .flatMap(([name, value]) => secretParts(name, value).concat(value));
}

/** The parts of a secret header that a service may echo without the rest. */
function secretParts(name: string, value: string): string[] {
  if (name === 'cookie') return cookieValues(value);
  return name.endsWith('authorization') ? [value.slice(value.indexOf(' ') + 1)] : [];
}

/** Shorter values of cookies are settings, such as a language. Without them, texts stay readable. */
const minCookieSecret = 8;

/** The values in `name=value; other="value"` that may be secret. */
function cookieValues(header: string): string[] {
  return header
    .split(';')
    .map(cookie => cookie.slice(cookie.indexOf('=') + 1).trim())
    .map(value => value.replace(/^"(.*)"$/, '$1'))
    .filter(({ length }) => length >= minCookieSecret);
}

/**
 * Removes keys from errors and logs, whatever their case. A service may echo a key anywhere. A text that shows a key only
 * after decoding is removed as a whole.
 */
export class Redactor {
  readonly #secrets: readonly string[];

  constructor(secrets: readonly (string | undefined)[]) {
    // Longer ones first: one secret may be the beginning of another.
    this.#secrets = [...new Set(secrets.filter(secret => secret !== undefined && secret !== ''))]
      .map(secret => secret!.toLowerCase())
      .toSorted((one, other) => other.length - one.length);
  }

  text(text: string, { isCut = false }: TextOptions = {}): string {
    if (this.#secrets.length === 0) return text;
    if (text.length > maxTextLength) return redacted;
    const blanked = isCut ? this.#withoutCut(this.#blanked(text)) : this.#blanked(text);
    const whole = isCut ? withoutHalfEscape(blanked) : blanked;
    const readings = decodedOnce(whole);
    // A value within the text has an escape of its own: HTML in JSON, a URL in a URL.
    const isShown = [...readings, ...readings.flatMap(reading => this.#decodedAgain(reading, isCut))].some(reading =>
      this.#showsSecret(reading, isCut),
    );
    return isShown ? redacted : blanked;
  }

  /** Returns the error fields, without keys. Other fields are dropped: they may be a page of rows. */
  refusal({ code, message, error, details }: UnknownRecord): UnknownRecord {
    const budget = { characters: this.#secrets.length > 0 ? maxTextLength : Infinity };
    return {
      code: this.#value(code, budget),
      message: this.#value(message, budget),
      error: this.#value(error, budget),
      details: this.#value(details, budget),
    };
  }

  headers(headers: Iterable<readonly [string, string | readonly string[] | undefined]>): Record<string, string> {
    const clean = Object.create(null) as Record<string, string>;
    for (const [name, value] of headers) {
      const isSecret = secretHeaders.has(name.toLowerCase());
      clean[this.text(name)] = isSecret ? redacted : this.text(String(value));
    }
    return clean;
  }

  /** A cause with the code and message only: errors of undici carry bytes and sockets. */
  cause(thrown: unknown): Error {
    const { message, code } = asRecord(thrown) ?? { message: String(thrown) };
    const cause = new Error(this.text(String(message)));
    cause.stack = `Error: ${cause.message}`;
    return typeof code === 'string' ? Object.assign(cause, { code: this.text(code) }) : cause;
  }

  #value(value: unknown, budget: Budget, depth = 0): unknown {
    budget.characters -= typeof value === 'string' ? value.length : 1;
    if (budget.characters < 0) return redacted;
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value);
      const clean = this.text(text);
      return clean === text ? value : clean;
    }
    const elements = asArray(value);
    const record = asRecord(value);
    if ((elements ?? record) && depth >= maxDepth) return redacted;
    if (elements) return elements.map(element => this.#value(element, budget, depth + 1));
    if (!record) return value;
    return Object.fromEntries(
      Object.entries(record).map(([name, member]) => [
        String(this.#value(name, budget)),
        this.#value(member, budget, depth + 1),
      ]),
    );
  }

  #blanked(text: string): string {
    const pattern = this.#secrets.map(secret => secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|');
    return text.replaceAll(new RegExp(pattern, 'giu'), redacted);
  }

  /** A cut text may end within an escape of either layer. */
  #decodedAgain(reading: string, isCut: boolean): string[] {
    const whole = isCut ? withoutHalfEscape(reading) : reading;
    return whole === reading ? decodedOnce(reading) : [whole, ...decodedOnce(whole)];
  }

  #withoutCut(text: string): string {
    const start = Math.min(this.#startOfCut(text, 1), this.#startOfCut(withoutHalfEscape(text), 1));
    return start < text.length ? text.slice(0, start) + redacted : text;
  }

  #showsSecret(reading: string, isCut: boolean): boolean {
    const lower = reading.toLowerCase();
    if (this.#secrets.some(secret => secret.length >= minDecodedSecret && lower.includes(secret))) return true;
    return isCut && this.#startOfCut(reading, minDecodedSecret) < Infinity;
  }

  /** Where the beginning of a secret stands at the end of a text; Infinity if there is none. */
  #startOfCut(text: string, minLength: number): number {
    const lower = text.toLowerCase();
    const starts = this.#secrets
      .filter(({ length }) => length >= minCutSecret)
      .map(secret => {
        let length = Math.min(secret.length - 1, lower.length);
        while (length >= minLength && !lower.endsWith(secret.slice(0, length))) length--;
        return length >= minLength ? text.length - length : Infinity;
      });
    return Math.min(...starts);
  }
}

const letterEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  bsol: '\\',
  equals: '=',
  gt: '>',
  lt: '<',
  percnt: '%',
  plus: '+',
  quot: '"',
  semi: ';',
  sol: '/',
};

/** The beginning of an escape at the end of a text. */
const halfEscape = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3})?|&#?[a-z\d]{0,8})$/i;

const withoutHalfEscape = (text: string): string => text.replace(halfEscape, '');

/** The text without one layer of encoding: as JSON, as a URL, as HTML and as base64. */
function decodedOnce(text: string): string[] {
  const readings = [
    text.replaceAll(/\\(?:u([\da-f]{4})|(.))/gi, (_all, code: string | undefined, letter: string) =>
      code === undefined ? (letterEscapes[letter] ?? letter) : character(code, 16),
    ),
    text.replaceAll(/(?:%[\da-f]{2})+/gi, run => decodedBytes(Buffer.from(run.replaceAll('%', ''), 'hex'))),
    text.replaceAll(
      /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
      (all, hex?: string, digits?: string, name?: string) => {
        if (name !== undefined) return entities[name] ?? all;
        return hex === undefined ? character(digits!, 10) : character(hex, 16);
      },
    ),
  ];
  // Base64 may be broken into lines, and other letters may stand right before it.
  const oneLine = text.replaceAll(/\s|\\[nr]/g, '');
  for (const skipped of [0, 1, 2, 3]) {
    readings.push(oneLine.replaceAll(/[\w+/-]{4,}/g, run => decodedBytes(Buffer.from(run.slice(skipped), 'base64'))));
  }
  return readings.filter(reading => reading !== text);
}

function character(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

function decodedBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}
