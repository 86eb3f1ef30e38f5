import type { Logger } from '../../base/logger.ts';
import type { ClientLogger } from '../../client/index.ts';

/**
 * Tells the output channel of a project's requests and answers. The client has taken keys out of what it tells, and SQL
 * and values are not part of it. Headers are for the level `debug`.
 */
export function requestLogger(log: Logger, project: string): ClientLogger {
  return (event, { method, path, attempt, status, headers, code }) => {
    const request = `${String(method)} ${String(path)}`;
    const which = attempt === 1 ? '' : ` (attempt ${String(attempt)})`;
    switch (event) {
      case 'request':
        log.info(`${project}: ${request}${which}`);
        break;
      case 'response':
        log[Number(status) < 400 ? 'info' : 'warn'](`${project}: ${String(status)} for ${request}${which}`);
        break;
      default:
        log.warn(`${project}: ${event} of ${request}${which}: ${String(code)}`);
    }
    if (headers !== undefined) log.debug(`${project}: ${event} headers ${JSON.stringify(headers)}`);
  };
}
