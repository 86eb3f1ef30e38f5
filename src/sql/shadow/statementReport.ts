import { errorPlace } from './errorPlace.ts';
import type { FaultOrigin } from './faultOrigin.ts';
import { emptyReport, type ShadowProblem, type ShadowReport } from './shadowReport.ts';
import type { Prepared, SqliteConnection, Verdict } from './sqliteConnection.ts';

/** How SQLite says that a function is not there. */
export const missingFunction = /^(?:no such|unknown) function: (.*?)(?:\(\))?$/s;

/** How many functions may be put in place for one statement. */
export const mostStandIns = 50;

const notAWindowFunction =
  /^(.*)\(\) may not be used as a window function$|FILTER may not be used with non-aggregate (.*)\(\)$/;

type StandIns = Map<string, 'scalar' | 'window'>;

/** What SQLite says of a statement. A function that it misses is put in place for as long, so as not to hide the rest. */
export function reportOn(
  connection: SqliteConnection,
  statement: string,
  detailed: boolean,
  origin: FaultOrigin,
): ShadowReport {
  const problems: ShadowProblem[] = [];
  const standIns: StandIns = new Map();
  const deadline = connection.deadline();
  try {
    for (;;) {
      const prepared = connection.prepare(statement, detailed, deadline);
      if (prepared.kind !== 'error' || !standIn(connection, prepared.message, standIns)) {
        return reportOf(statement, prepared, problems, origin);
      }
      const place = missingFunctionPlace(statement, prepared);
      if (place) problems.push(place);
      // Reading a long statement again and again takes its time as well, and SQLite does not ask then.
      if (connection.isPast(deadline)) return reportOf(statement, { kind: 'cutOff' }, problems, origin);
    }
  } finally {
    for (const name of standIns.keys()) connection.removeFunction(name);
  }
}

/** Puts a function in place that an error misses. Tells whether that may help. */
function standIn(connection: SqliteConnection, message: string, standIns: StandIns): boolean {
  const missing = missingFunction.exec(message)?.[1];
  const [, over, filtered] = notAWindowFunction.exec(message) ?? [];
  const wrongKind = over ?? filtered;
  if (missing !== undefined && !standIns.has(missing) && standIns.size < mostStandIns) {
    standIns.set(missing, 'scalar');
    connection.addFunction(missing, 'scalar');
    return true;
  }
  if (wrongKind !== undefined && standIns.get(wrongKind) === 'scalar') {
    standIns.set(wrongKind, 'window');
    connection.addFunction(wrongKind, 'window');
    return true;
  }
  return false;
}

/** A function that only a view or a trigger of the project calls is the project's affair and no problem here. */
function missingFunctionPlace(
  statement: string,
  error: Extract<Verdict, { kind: 'error' }>,
): ShadowProblem | undefined {
  const name = missingFunction.exec(error.message)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const place = errorPlace(statement, error.message, error.offset);
  const there = statement.slice(place.start, place.end).toLowerCase().includes(name);
  return there ? { message: error.message, ...place } : undefined;
}

function reportOf(
  statement: string,
  prepared: Prepared,
  problems: readonly ShadowProblem[],
  origin: FaultOrigin,
): ShadowReport {
  if (prepared.kind === 'prepared') {
    const { columns, parameterCount, readOnly, uses } = prepared;
    return { outcome: 'prepared', problems, columns, parameterCount, readOnly, uses };
  }
  if (prepared.kind !== 'error') return { ...emptyReport, outcome: 'cutOff', problems };
  const place = errorPlace(statement, prepared.message, prepared.offset, origin);
  return { ...emptyReport, outcome: 'refused', problems: [...problems, { message: prepared.message, ...place }] };
}
