import { normalPrefix } from '../../wire/paths.ts';
import type { Synchronous } from '../engines/sqlite/projectBridge.ts';
import { originOf } from '../http/crossOrigin.ts';
import { parseRateLimit, type RateLimit } from '../http/rateLimiter.ts';
import { UsageError } from './command.ts';

export function readPathPrefix(text: string): string {
  const prefix = normalPrefix(text);
  // A prefix that URLs write in another way would never match a path.
  if (URL.parse(`http://127.0.0.1${prefix}/`)?.pathname === `${prefix}/`) return prefix;
  throw new UsageError('--path-prefix must be a path as in a URL, without spaces, ?, # and .. folders.');
}

export function readRateLimit(text: string): RateLimit {
  const limit = parseRateLimit(text);
  if (limit) return limit;
  throw new UsageError('--rate-limit must be written like 10/s, or like 10/s:50 to allow 50 calls at once.');
}

/** Reads the origins of web pages as browsers write them. */
export function readOrigins(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.map(readOrigin));
}

function readOrigin(text: string): string {
  if (text === '*') {
    throw new UsageError(
      '--allow-origin takes no *: any page that a user opens could then try keys at the service. Name each origin.',
    );
  }
  const origin = originOf(text);
  if (origin !== undefined) return origin;
  throw new UsageError('--allow-origin must be an origin, like https://app.example or http://localhost:3000.');
}

type LogFormat = 'text' | 'json';

export function readLogFormat(text: string): LogFormat {
  if (text === 'text' || text === 'json') return text;
  throw new UsageError('--log must be text or json.');
}

export function readSynchronous(text: string): Synchronous {
  const mode = (['FULL', 'NORMAL'] as const).find(name => name === text.toUpperCase());
  if (mode) return mode;
  throw new UsageError('--synchronous must be full or normal.');
}

/** Seconds as milliseconds. A timer of Node.js may have up to 2^31 of them. */
export function readSeconds(option: string, text: string): number {
  const milliseconds = Number(text) * 1000;
  if (/^\d+(?:\.\d+)?$/.test(text) && milliseconds >= 1 && milliseconds < 2 ** 31) return milliseconds;
  throw new UsageError(`--${option} must be a number of seconds.`);
}
