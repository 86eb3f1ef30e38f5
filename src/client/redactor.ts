import { asArray, asRecord, type UnknownRecord } from '../base/decode.ts';
import { headerNames, redacted } from '../wire/headers.ts';
import { newSearchWork, SecretSearch, type SearchWork } from './secretSearch.ts';

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

/** Longer texts are redacted as a whole, and so is what goes beyond it in the fields of an error. */
const maxTextLength = 16 * 1024;

interface TextOptions {
  /** The text is the beginning of a longer one, which may end within a key. */
  readonly isCut?: boolean;
  readonly work?: SearchWork;
}

/** Limits that all fields of one error share: how many characters and how much work remain. */
interface Budget {
  characters: number;
  readonly work: SearchWork;
}

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

/** Removes keys from errors and logs. A service may echo a key anywhere and in any spelling. In doubt removes the whole text. */
export class Redactor {
  readonly #secrets: readonly string[];
  #search: SecretSearch | undefined;

  constructor(secrets: readonly (string | undefined)[]) {
    this.#secrets = [...new Set(secrets.filter(secret => secret !== undefined))];
  }

  text(text: string, { isCut = false, work = newSearchWork() }: TextOptions = {}): string {
    this.#search ??= new SecretSearch(this.#secrets);
    if (this.#search.isEmpty) return text;
    const parts = text.length > maxTextLength ? undefined : this.#search.partsToBlank(text, { isCut, work });
    if (!parts) return redacted;
    let clean = '';
    let from = 0;
    for (const { start, end } of parts) {
      clean += text.slice(from, start) + redacted;
      from = end;
    }
    return clean + text.slice(from);
  }

  /** The error fields of an answer without keys. Other fields are dropped: they may be a page of rows. */
  refusal({ code, message, error, details }: UnknownRecord): UnknownRecord {
    const budget = {
      characters: this.#secrets.length > 0 ? maxTextLength : Infinity,
      work: newSearchWork(),
    };
    return {
      code: this.#value(code, budget),
      message: this.#value(message, budget),
      error: this.#value(error, budget),
      details: this.#value(details, budget),
    };
  }

  headers(headers: Iterable<readonly [string, string | readonly string[] | undefined]>): Record<string, string> {
    const clean = Object.create(null) as Record<string, string>;
    const work = newSearchWork();
    for (const [name, value] of headers) {
      const isSecret = secretHeaders.has(name.toLowerCase());
      clean[this.text(name, { work })] = isSecret ? redacted : this.text(String(value), { work });
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
    const { work } = budget;
    if (typeof value === 'string') return this.text(value, { work });
    if (typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value);
      const clean = this.text(text, { work });
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
}
