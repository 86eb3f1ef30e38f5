import { errorRange, type FindOrigin } from '../errors/errorRange.ts';
import { keyOf } from '../text/names.ts';
import { emptyReport, type ShadowProblem, type ShadowReport } from './shadowReport.ts';
import type { ExecuteResult, PrepareResult, SqliteConnection } from './sqliteConnection.ts';

/** SQLite's message for an unknown function. */
export const missingFunction = /^(?:no such|unknown) function: (.*?)(?:\(\))?$/s;

/** How many functions may be replaced by stubs for one statement. */
export const maxStubFunctions = 50;

const notAWindowFunction =
  /^(.*)\(\) may not be used as a window function$|FILTER may not be used with non-aggregate (.*)\(\)$/;

/** SQLite's message for a column that is unknown or could be several. */
const columnFault = /^(?:no such column|ambiguous column name): (.*?)(?: - should this be a string literal.*)?$/s;

/** A statement with more unknown columns than this is reported in part. */
const maxColumnFaults = 50;

type StubFunctions = Map<string, 'scalar' | 'window'>;

/**
 * SQLite's report on a statement. SQLite stops at the first fault. While the statement is prepared again, a stub replaces an
 * unknown function and a parameter replaces a wrong column, so that they do not hide other faults.
 */
export function reportOn(
  connection: SqliteConnection,
  statement: string,
  detailed: boolean,
  findOrigin: FindOrigin,
): ShadowReport {
  const problems: ShadowProblem[] = [];
  const stubs: StubFunctions = new Map();
  const columns = new WrongColumns(statement);
  const deadline = connection.deadline();
  try {
    for (;;) {
      const result = connection.prepare(columns.replaced, detailed, deadline);
      if (result.kind === 'error' && addStubFor(connection, result.message, stubs)) {
        const problem = missingFunctionProblem(statement, result);
        if (problem) problems.push(problem);
      } else if (result.kind === 'error' && columns.replace(result, findOrigin)) {
        // The next fault is found without this column.
      } else if (columns.problems.length > 0 && result.kind !== 'broken') {
        // A fault of another kind may only come from the replacement.
        return { ...emptyReport, outcome: 'refused', problems: problems.concat(columns.problems) };
      } else {
        return reportOf(statement, result, problems, findOrigin);
      }
      // Parsing a long statement many times takes long as well, and SQLite calls no progress handler while it parses.
      if (connection.isPast(deadline)) return reportOf(statement, { kind: 'interrupted' }, problems, findOrigin);
    }
  } finally {
    for (const name of stubs.keys()) connection.removeFunction(name);
  }
}

/** The wrong columns of a statement, and the statement with a parameter in the place of each. */
class WrongColumns {
  readonly problems: ShadowProblem[] = [];
  readonly #names = new Set<string>();
  readonly #hasSubqueries: boolean;
  /** As long as the statement itself, so that SQLite's offsets stay right. */
  replaced: string;

  constructor(statement: string) {
    this.replaced = statement;
    this.#hasSubqueries = (statement.match(/\bselect\b/gi)?.length ?? 0) > 1;
  }

  /** Replaces the column that an error is about. Returns whether that may help. */
  replace({ message, offset }: Extract<ExecuteResult, { kind: 'error' }>, findOrigin: FindOrigin): boolean {
    const column = columnFault.exec(message)?.[1];
    if (column === undefined || this.problems.length >= maxColumnFaults) return false;
    const range = errorRange(this.replaced, message, offset, findOrigin);
    const name = keyOf(column.slice(column.lastIndexOf('.') + 1));
    // The query around may read the result of a subquery, whose name the replacement took away.
    if (!this.#hasSubqueries || !this.#names.has(name)) this.problems.push({ message, ...range });
    this.#names.add(name);
    // Without an offset the range may be that of another name.
    if (offset < 0) return false;
    const { start, end } = range;
    this.replaced = `${this.replaced.slice(0, start)}${'?'.padEnd(end - start)}${this.replaced.slice(end)}`;
    return true;
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
