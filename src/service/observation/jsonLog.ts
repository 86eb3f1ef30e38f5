import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { EndedCall } from './watchedCall.ts';

interface JsonLog extends Logger {
  call(call: EndedCall): void;
}

/** A log of one JSON object in each line: one for each call, and one for each warning and error of the service. */
export function jsonLog(write: (line: string) => void, clock: Clock): JsonLog {
  const log = (level: string, fields: object): void =>
    write(JSON.stringify({ time: new Date(clock.now()).toISOString(), level, ...fields }));
  return {
    debug() {},
    info: message => log('info', { message }),
    warn: message => log('warning', { message }),
    error: message => log('error', { message }),
    call: ({ requestId, notes, status, milliseconds, bytes, isWhole }) =>
      log('info', {
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
      }),
  };
}
