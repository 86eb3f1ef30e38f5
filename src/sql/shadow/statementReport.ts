import { errorRange, type FindOrigin } from '../errors/errorRange.ts';
import { keyOf } from '../text/names.ts';
import { emptyReport, type ShadowProblem, type ShadowReport } from './shadowReport.ts';
import type { SqliteConnection } from './sqliteConnection.ts';
import { type SqliteError, StatementFaults } from './statementFaults.ts';

export const missingFunction = /^(?:no such|unknown) function: (.*?)(?:\(\))?$/s;

/** For one statement. */
export const maxStubFunctions = 50;

const notAWindowFunction =
  /^(.*)\(\) may not be used as a window function$|FILTER may not be used with non-aggregate (.*)\(\)$/;

type StubFunctions = Map<string, 'scalar' | 'window'>;

/** The stub in place of a built-in function that is called in a wrong way. */
const wronglyCalled = 'sqlprojects_stub';

/** SQLite stops at the first fault. So the statement is prepared again, with stubs and patches in place of the faults so far. */
export function reportOn(
  connection: SqliteConnection,
  statement: string,
  detailed: boolean,
  findOrigin: FindOrigin,
): ShadowReport {
  const functionProblems: ShadowProblem[] = [];
  const stubs: StubFunctions = new Map();
  const faults = new StatementFaults(connection, statement, findOrigin, () => {
    addStub(connection, wronglyCalled, stubs);
    return wronglyCalled;
  });
  const deadline = connection.deadline();
  try {
    for (;;) {
      const result = connection.prepare(faults.text, detailed, deadline);
      const isReplaced = result.kind === 'error' && replaceFunction(connection, result, stubs);
      if (isReplaced) functionProblems.push(...missingFunctionProblems(result, statement, faults));
      // SQLite calls no progress handler while it parses, and parsing a long statement many times takes long as well.
      const mayGoOn = isReplaced || (result.kind === 'error' && faults.add(result));
      if (mayGoOn && !connection.isPast(deadline)) continue;
      if (faults.problems.length > 0 && result.kind !== 'broken') {
        return { ...emptyReport, outcome: 'refused', problems: [...functionProblems, ...faults.problems] };
      }
      if (result.kind === 'prepared') {
        const { columns, readOnly, uses } = result;
        return { outcome: 'prepared', problems: functionProblems, columns, readOnly, uses };
      }
      const isRefused = result.kind === 'error' && !mayGoOn;
      return { ...emptyReport, outcome: isRefused ? 'refused' : 'limitExceeded', problems: functionProblems };
    }
  } finally {
    faults.end();
    for (const name of stubs.keys()) connection.removeFunction(name);
  }
}

/** Adds a stub for the function of an error message, or makes one a window function. Returns whether that may help. */
function replaceFunction(connection: SqliteConnection, { message }: SqliteError, stubs: StubFunctions): boolean {
  const missingName = missingFunction.exec(message)?.[1];
  if (missingName !== undefined && stubs.size < maxStubFunctions) return addStub(connection, missingName, stubs);
  const [, nameWithOver, nameWithFilter] = notAWindowFunction.exec(message) ?? [];
  const windowName = nameWithOver ?? nameWithFilter;
  if (windowName === undefined || stubs.get(windowName) !== 'scalar') return false;
  stubs.set(windowName, 'window');
  connection.addFunction(windowName, 'window');
  return true;
}

/** Returns false if the stub exists. */
function addStub(connection: SqliteConnection, name: string, stubs: StubFunctions): boolean {
  if (stubs.has(name)) return false;
  stubs.set(name, 'scalar');
  connection.addFunction(name, 'scalar');
  return true;
}

/** Empty if only a view or a trigger of the project calls the function: the service may know that function. */
function missingFunctionProblems(
  { message, offset }: SqliteError,
  statement: string,
  faults: StatementFaults,
): ShadowProblem[] {
  const name = keyOf(missingFunction.exec(message)?.[1] ?? '');
  const range = errorRange(statement, message, faults.originalOffset(offset) ?? -1);
  if (name === '' || !keyOf(statement.slice(range.start, range.end)).includes(name)) return [];
  const calls = faults.callsOf(name);
  return (calls.length > 0 ? calls : [range]).map(call => ({ message, start: call.start, end: call.end }));
}
