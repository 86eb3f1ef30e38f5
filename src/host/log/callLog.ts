import { randomBytes } from 'node:crypto';
import { asCount, asString } from '../../base/decode.ts';
import { formatDuration } from '../../base/formats.ts';
import { type Logger, logFields } from '../../base/logger.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { CallReport, ClientOptions } from '../../client/index.ts';
import { faultWithoutValues, statementWithoutValues } from '../../sql/text/statementWithoutValues.ts';
import { headerNames } from '../../wire/headers.ts';

/** The options of a client that report its calls and waits. */
export type ClientListeners = Pick<ClientOptions, 'logger' | 'onCallEnd' | 'onWait' | 'beforeHooks'>;

interface CallLogOptions {
  readonly log: Logger;
  /** The name of the project, or of the service, at the time of the line. */
  readonly name: () => string;
  /** Whether the log may show the start of statements. */
  readonly showsStatements: () => boolean;
}

const maxStatementLength = 80;
const maxReasonLength = 300;

/** Logs a line at the end of each call, without keys, parameters and values. Requests and waits are logged as `debug`. */
export function logCalls({ log, name, showsStatements }: CallLogOptions): ClientListeners {
  return {
    beforeHooks: [({ headers }) => headers.set(headerNames.correlationId, newRequestId())],
    onCallEnd: report => log[report.fault ? 'warn' : 'info'](callLine(name(), report, showsStatements())),
    logger: (event, { method, path, attempt, status, headers, code }) => {
      const outcome = ` ${asCount(status) ?? asString(code) ?? ''}`.trimEnd();
      const request = `${event} ${String(attempt)} of ${String(method)} ${String(path)}${outcome}`;
      log.debug(logFields([name(), request, headers === undefined ? '' : `headers ${JSON.stringify(headers)}`]));
    },
  };
}

/** Long enough that no two calls of a day have the same one. */
const newRequestId = (): string => randomBytes(6).toString('hex');

function callLine(name: string, report: CallReport, showsStatement: boolean): string {
  const { fault, attempts, milliseconds, requestId } = report;
  return logFields([
    name,
    subjectOf(report, showsStatement),
    outcomeOf(report),
    rowsOf(report),
    attempts > 1 ? `${attempts} attempts` : '',
    formatDuration(milliseconds, 'en-US'),
    requestId ?? '',
    fault ? reasonOf(report, showsStatement) : '',
  ]);
}

/** The statement, or the table or list that the call is for. */
function subjectOf({ method, path, statementStart }: CallReport, showsStatement: boolean): string {
  if (statementStart !== undefined) {
    return showsStatement ? statementWithoutValues(statementStart, maxStatementLength) : 'statement';
  }
  const [, table, part] = /\/projects\/[^/]+\/tables\/([^/]+)\/(rows|schema)\b/.exec(path) ?? [];
  if (table === undefined) return `${method} ${path}`;
  if (part === 'schema') return `${decoded(table)}, columns`;
  const offset = Number(new URLSearchParams(path.split('?')[1]).get('offset') ?? 0);
  return `${decoded(table)}, from row ${formatNumber(offset + 1)}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function outcomeOf({ status, fault, isAborted }: CallReport): string {
  if (isAborted) return 'cancelled';
  return [status, fault?.code].filter(part => part !== undefined && part !== `http_${status}`).join(' ');
}

function rowsOf({ rows, changed, fault }: CallReport): string {
  if (changed !== undefined) return `${counted(changed)} changed`;
  return rows === undefined || (fault && rows === 0) ? '' : counted(rows);
}

const counted = (rows: number): string => (rows === 1 ? '1 row' : `${formatNumber(rows)} rows`);
const formatNumber = (number: number): string => number.toLocaleString('en-US');

/** Why a call failed. A service quotes the statement in its messages. */
function reasonOf({ fault, statementStart }: CallReport, showsStatement: boolean): string {
  const message = fault?.message ?? '';
  if (statementStart === undefined) return oneLine(message, maxReasonLength);
  return oneLine(faultWithoutValues(message, showsStatement ? statementStart : ''), maxReasonLength);
}
