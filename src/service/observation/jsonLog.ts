import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { EndedCall } from './watchedCall.ts';

/** A log of one JSON object in each line: one for each call, and one for each warning and error of the service. */
export class JsonLog implements Logger {
  readonly #write: (line: string) => void;
  readonly #clock: Clock;

  constructor(write: (line: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  debug(): void {}

  info(message: string): void {
    this.#log('info', { message });
  }

  warn(message: string): void {
    this.#log('warning', { message });
  }

  error(message: string): void {
    this.#log('error', { message });
  }

  call({ requestId, notes, status, milliseconds, bytes, isWhole }: EndedCall): void {
    this.#log('info', {
      message: 'call',
      request_id: requestId,
      route: notes.route,
      project_id: notes.keyOwner?.projectId,
      key_id: notes.keyOwner?.keyId,
      status: status ?? null,
      code: notes.code,
      duration_ms: Math.round(milliseconds * 1000) / 1000,
      rows: notes.rows,
      bytes,
      complete: isWhole,
    });
  }

  #log(level: string, fields: Readonly<Record<string, unknown>>): void {
    this.#write(JSON.stringify({ time: new Date(this.#clock.now()).toISOString(), level, ...fields }));
  }
}
