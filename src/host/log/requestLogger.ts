import type { Logger } from '../../base/logger.ts';
import type { ClientLogger } from '../../client/index.ts';

/**
 * Logs the requests and answers of a project. The client removes keys, and its events have no SQL and no values. Headers are
 * logged at the level `debug`.
 */
export function requestLogger(log: Logger, project: string): ClientLogger {
  return (event, { method, path, attempt, status, headers, code }) => {
    const request = `${String(method)} ${String(path)}`;
    const attemptNote = attempt === 1 ? '' : ` (attempt ${String(attempt)})`;
    switch (event) {
      case 'request':
        log.info(`${project}: ${request}${attemptNote}`);
        break;
      case 'response':
        log[Number(status) < 400 ? 'info' : 'warn'](`${project}: ${String(status)} for ${request}${attemptNote}`);
        break;
      default:
        log.warn(`${project}: ${event} of ${request}${attemptNote}: ${String(code)}`);
    }
    if (headers !== undefined) log.debug(`${project}: ${event} headers ${JSON.stringify(headers)}`);
  };
}
