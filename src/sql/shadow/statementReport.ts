import { errorRange, type FindOrigin } from '../errors/errorRange.ts';
import { emptyReport, type ShadowProblem, type ShadowReport } from './shadowReport.ts';
import type { ExecuteResult, PrepareResult, SqliteConnection } from './sqliteConnection.ts';

/** SQLite's message for an unknown function. */
export const missingFunction = /^(?:no such|unknown) function: (.*?)(?:\(\))?$/s;

/** How many functions may be replaced by stubs for one statement. */
export const maxStubFunctions = 50;

const notAWindowFunction =
  /^(.*)\(\) may not be used as a window function$|FILTER may not be used with non-aggregate (.*)\(\)$/;

type StubFunctions = Map<string, 'scalar' | 'window'>;

/**
 * SQLite's report on a statement. A stub replaces an unknown function while the statement is prepared again, so that the
 * function does not hide other faults.
 */
export function reportOn(
  connection: SqliteConnection,
  statement: string,
  detailed: boolean,
  findOrigin: FindOrigin,
): ShadowReport {
  const problems: ShadowProblem[] = [];
  const stubs: StubFunctions = new Map();
  const deadline = connection.deadline();
  try {
    for (;;) {
      const result = connection.prepare(statement, detailed, deadline);
      if (result.kind !== 'error' || !addStubFor(connection, result.message, stubs)) {
        return reportOf(statement, result, problems, findOrigin);
      }
      const problem = missingFunctionProblem(statement, result);
      if (problem) problems.push(problem);
      // Parsing a long statement many times takes long as well, and SQLite calls no progress handler while it parses.
      if (connection.isPast(deadline)) return reportOf(statement, { kind: 'interrupted' }, problems, findOrigin);
    }
  } finally {
    for (const name of stubs.keys()) connection.removeFunction(name);
  }
}

/** Adds a stub for the function of an error message. Returns whether that may help. */
function addStubFor(connection: SqliteConnection, message: string, stubs: StubFunctions): boolean {
  const missingName = missingFunction.exec(message)?.[1];
  if (missingName !== undefined && !stubs.has(missingName) && stubs.size < maxStubFunctions) {
    stubs.set(missingName, 'scalar');
    connection.addFunction(missingName, 'scalar');
    return true;
  }
  const [, nameWithOver, nameWithFilter] = notAWindowFunction.exec(message) ?? [];
  const windowName = nameWithOver ?? nameWithFilter;
  if (windowName !== undefined && stubs.get(windowName) === 'scalar') {
    stubs.set(windowName, 'window');
    connection.addFunction(windowName, 'window');
    return true;
  }
  return false;
}

/** Undefined if only a view or a trigger of the project calls the function. The service may know that function. */
function missingFunctionProblem(
  statement: string,
  error: Extract<ExecuteResult, { kind: 'error' }>,
): ShadowProblem | undefined {
  const name = missingFunction.exec(error.message)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const range = errorRange(statement, error.message, error.offset);
  const isInStatement = statement.slice(range.start, range.end).toLowerCase().includes(name);
  return isInStatement ? { message: error.message, ...range } : undefined;
}

function reportOf(
  statement: string,
  result: PrepareResult,
  problems: readonly ShadowProblem[],
  findOrigin: FindOrigin,
): ShadowReport {
  switch (result.kind) {
    case 'prepared': {
      const { columns, parameterCount, readOnly, uses } = result;
      return { outcome: 'prepared', problems, columns, parameterCount, readOnly, uses };
    }
    case 'error': {
      const { message, offset } = result;
      const problem = { message, ...errorRange(statement, message, offset, findOrigin) };
      return { ...emptyReport, outcome: 'refused', problems: [...problems, problem] };
    }
    case 'interrupted':
    case 'broken':
      return { ...emptyReport, outcome: 'limitExceeded', problems };
  }
}
