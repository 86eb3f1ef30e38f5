import { webOrigin } from '../../http/crossOrigin.ts';
import { parseRateLimit, type RateLimit } from '../../http/rateLimiter.ts';
import type { WorkerBindings } from './objectNamespaces.ts';

/** The limit of each key if the variable is not set. */
const defaultRateLimit: RateLimit = { perSecond: 200, burst: 1000 };

/** Names the variable that cannot be read. A default instead could allow what the owner does not want. */
export function variableFault(bindings: WorkerBindings): string | undefined {
  const { ENROLMENT = '', RATE_LIMIT = '' } = bindings;
  if (ENROLMENT !== '' && ENROLMENT !== 'open') return 'The variable ENROLMENT must be "open" or empty.';
  if (RATE_LIMIT !== '' && !parseRateLimit(RATE_LIMIT)) {
    return 'The variable RATE_LIMIT must be written like 200/s, or like 200/s:1000 to allow 1000 calls at once.';
  }
  if (originTexts(bindings).some(text => webOrigin(text) === undefined)) {
    return 'The variable ALLOWED_ORIGINS must be origins, like https://app.example, with spaces between them.';
  }
  return undefined;
}

export const rateLimitOf = ({ RATE_LIMIT = '' }: WorkerBindings): RateLimit =>
  parseRateLimit(RATE_LIMIT) ?? defaultRateLimit;

export const originsOf = (bindings: WorkerBindings): ReadonlySet<string> =>
  new Set(originTexts(bindings).flatMap(text => webOrigin(text) ?? []));

const originTexts = ({ ALLOWED_ORIGINS = '' }: WorkerBindings): string[] => ALLOWED_ORIGINS.split(' ').filter(Boolean);
