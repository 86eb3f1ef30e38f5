import { asRecord, parseJson, type UnknownRecord } from '../base/shape.ts';
import { headerNames, redacted } from '../wire/headers.ts';

/** Headers whose whole value is a secret, whoever set them. */
const secretHeaders: ReadonlySet<string> = new Set([
  headerNames.apiKey,
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
]);

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

  /** The same JSON object with no key in it. */
  record(record: UnknownRecord): UnknownRecord {
    return asRecord(parseJson(this.text(JSON.stringify(record)))) ?? {};
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
}
