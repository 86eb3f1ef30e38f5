import { asArray, asRecord, type UnknownRecord } from '../base/shape.ts';
import { headerNames, redacted } from '../wire/headers.ts';

/** Headers whose whole value is a secret, whoever set them. */
const secretHeaders: ReadonlySet<string> = new Set([
  headerNames.apiKey,
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
]);

/** How deep the details of an error are followed. */
const mostDepth = 100;

/** Keeps keys out of whatever is shown. A service may echo a key anywhere, also in the escapes of JSON or of a URL. */
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

  /** What an answer says of its error, with no key in it. The rest may be a page of rows, which no error shows. */
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

  /** What was thrown, as a cause to show: its code and message only, since undici's errors carry bytes and sockets. */
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
    const [elements, record] = [asArray(value), asRecord(value)];
    if ((elements ?? record) && depth >= mostDepth) return redacted;
    if (elements) return elements.map(element => this.#value(element, depth + 1));
    if (!record) return value;
    return Object.fromEntries(
      Object.entries(record).map(([key, member]) => [this.text(key), this.#value(member, depth + 1)]),
    );
  }
}
