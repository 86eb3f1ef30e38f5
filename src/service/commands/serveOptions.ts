import { normalPrefix } from '../../wire/paths.ts';
import type { Synchronous } from '../engines/sqlite/projectBridge.ts';
import type { RateLimit } from '../rateLimiter.ts';
import { UsageError } from './command.ts';

export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError('--port must be a number from 0 to 65535.');
}

export function readPathPrefix(text: string): string {
  const prefix = normalPrefix(text);
  // Paths arrive as URLs write them, so a prefix that a URL writes in another way would never be met.
  if (URL.parse(`http://127.0.0.1${prefix}/`)?.pathname === `${prefix}/`) return prefix;
  throw new UsageError('--path-prefix must be a path as URLs write it, without blanks, ?, # and dots for folders.');
}

/** `10/s` or `10/s:50`; a burst is as large as one second's calls when it is not said. */
export function readRateLimit(text: string): RateLimit {
  const [, rate = '', burst] = /^(\d+(?:\.\d+)?)\/s(?::(\d+))?$/.exec(text) ?? [];
  const perSecond = Number(rate);
  const limit = { perSecond, burst: burst === undefined ? Math.ceil(perSecond) : Number(burst) };
  if (perSecond > 0 && limit.burst > 0) return limit;
  throw new UsageError('--rate-limit must be written as 10/s, or as 10/s:50 to let 50 calls come at once.');
}

export function readSynchronous(text: string): Synchronous {
  const found = (['FULL', 'NORMAL'] as const).find(name => name === text.toUpperCase());
  if (found) return found;
  throw new UsageError('--synchronous must be full or normal.');
}

/** Seconds as milliseconds. Timers of Node.js end at 2^31 of these. */
export function readSeconds(text: string): number {
  const milliseconds = Number(text) * 1000;
  if (/^\d+(?:\.\d+)?$/.test(text) && milliseconds >= 1 && milliseconds < 2 ** 31) return milliseconds;
  throw new UsageError('--statement-timeout must be a number of seconds.');
}
