import type { Logger } from '../../src/base/logger.ts';

/** A logger that keeps its messages. */
export function recordingLogger(): { readonly logger: Logger; readonly logged: readonly string[] } {
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  return { logger: { debug: log, info: log, warn: log, error: log }, logged };
}
