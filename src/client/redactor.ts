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

/** Removes keys from errors and logs. A service may echo a key anywhere, also with the escapes of JSON or of URLs. */
export class Redactor {
  readonly #spellings: readonly string[];

  constructor(secrets: readonly (string | null | undefined)[]) {
    const spellings = secrets.flatMap(secret =>
      secret ? [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)] : [],
    );
    this.#spellings = [...new Set(spellings)].toSorted((one, other) => other.length - one.length);
  }

  text(text: string): string {
    return this.#spellings.reduce((clean, spelling) => clean.replaceAll(spelling, redacted), text);
  }

  /** The error fields of an answer without keys. Other fields are dropped: they may be a page of rows. */
  refusal({ code, message, error, details }: UnknownRecord): UnknownRecord {
    return {
      code: this.#value(code),
      message: this.#value(message),
      error: this.#value(error),
      details: this.#value(details),
    };
  }

  headers(headers: Iterable<readonly [string, string | readonly string[] | undefined]>): Record<string, string> {
    const clean = Object.create(null) as Record<string, string>;
    for (const [name, value] of headers) {
      clean[name] = secretHeaders.has(name.toLowerCase()) ? redacted : this.text(String(value));
    }
    return clean;
  }

  /** A cause with the code and message only: errors of undici carry bytes and sockets. */
  cause(thrown: unknown): Error {
    const { message, code } = asRecord(thrown) ?? { message: String(thrown) };
    const cause = new Error(this.text(String(message)));
    cause.stack = `Error: ${cause.message}`;
    return typeof code === 'string' ? Object.assign(cause, { code }) : cause;
  }

  #value(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value);
      const clean = this.text(text);
      return clean === text ? value : clean;
    }
    const elements = asArray(value);
    const record = asRecord(value);
    if ((elements ?? record) && depth >= maxDepth) return redacted;
    if (elements) return elements.map(element => this.#value(element, depth + 1));
    if (!record) return value;
    return Object.fromEntries(
      Object.entries(record).map(([key, member]) => [this.text(key), this.#value(member, depth + 1)]),
    );
  }
}
