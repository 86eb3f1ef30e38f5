import { distinctNames } from '../../../base/distinctNames.ts';
import { messageOf } from '../../../base/errors.ts';
import { countsChangesByFirstWord } from '../../../sql/effect/effectByFirstWord.ts';
import { firstWords } from '../../../sql/shadow/statementWords.ts';
import { errorPlace } from '../common/errorPlace.ts';
import { columnList, unusedName } from '../common/queryText.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';
import { sqlError } from '../../faults.ts';
import { exactSelect, rowObject } from './exactSelect.ts';
import { attemptSql } from './objectFault.ts';
import { type ObjectStorage, type SqlOutput, outputText } from './objectStorage.ts';
import { type StatementText, statementText, withoutValues, withPlaceholders } from './statementText.ts';
import { quoteIdentifier } from '../../../sql/text/quoting.ts';
import { type CoarseToken, meaningfulTokens } from '../../../sql/text/tokens.ts';

/** A type is undefined if the schema declares none. */
export interface PlannedColumns {
  readonly names: readonly string[];
  readonly types: readonly (string | undefined)[];
}

/** A write that gives rows. */
interface PlannedReturning {
  /** The statement, with one more item in its list: the row as a text of JSON. */
  readonly exact: string;
  readonly columns: PlannedColumns;
}

/** How the engine runs a statement. */
export type StatementPlan = { readonly statement: StatementText } & (
  | {
      /** A query, as a text of JSON for each row. */
      readonly kind: 'query';
      readonly columns: PlannedColumns;
      readonly exact: string;
      readonly untyped: readonly number[];
      /** Whether it has one row at most, and does not search for another one. */
      readonly isOneRow: boolean;
    }
  | {
      /** EXPLAIN or PRAGMA. Its values are small, and it cannot be part of another statement. */
      readonly kind: 'inspection';
    }
  | {
      readonly kind: 'write';
      /** Whether it may change the number of rows that changes() returns. */
      readonly countsRows: boolean;
      readonly changesSchema: boolean;
      readonly returning: PlannedReturning | undefined;
    }
);

const explain = 'EXPLAIN ';
const inspections: ReadonlySet<string | undefined> = new Set(['EXPLAIN', 'PRAGMA']);
/** Instructions of SQLite's virtual machine that change the schema. */
const schemaInstructions = new Set(
  'ParseSchema SetCookie DropTable DropIndex DropTrigger Destroy VCreate VDestroy VRename CreateBtree LoadAnalysis'.split(
    ' ',
  ),
);

/** Reads the kind of a statement from SQLite's program for it, without running it. */
export function planStatement(storage: ObjectStorage, sql: string, drain: () => void): StatementPlan {
  const statement = statementText(sql);
  const [first] = firstWords(statement.text, 1);
  if (inspections.has(first?.key)) return { kind: 'inspection', statement };
  const program = programOf(storage, sql, statement);
  const width = Number(program.find(([, instruction]) => instruction === 'ResultRow')?.[3] ?? 0);
  const writes = program.some(([, instruction, , p2]) => instruction === 'Transaction' && Number(p2) === 1);
  if (width > 0 && !writes) return planQuery(storage, statement, { drain, isOneRow: endsBehindRow(program) });
  const countsRows = countsChangesByFirstWord(statement.text);
  return {
    kind: 'write',
    statement,
    countsRows,
    changesSchema: program.some(([, instruction]) => schemaInstructions.has(outputText(instruction))),
    // The program of ALTER has rows of its own.
    returning: width === 0 || !countsRows ? undefined : planReturning(storage, statement, drain),
  };
}

/** SQLite's program for a statement. An error has its place in the statement. */
function programOf(storage: ObjectStorage, sql: string, statement: StatementText): SqlOutput[][] {
  const run = (text: StatementText): SqlOutput[][] =>
    attemptSql(() => [...storage.sql.exec(explain + text.text, ...valuesFor(text)).raw()], {
      statement: text,
      bytesBefore: explain.length,
    });
  try {
    return run(statement);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== serviceCodes.sqlError || thrown.details) throw thrown;
    const offset = errorPlace(sql, thrown.message, text => {
      try {
        run(statementText(text));
        return undefined;
      } catch (other) {
        return messageOf(other);
      }
    });
    throw sqlError(thrown.message, offset);
  }
}

function planReturning(storage: ObjectStorage, statement: StatementText, drain: () => void): PlannedReturning {
  const returning = returningList(storage, statement);
  // Without rows as JSON, large integers would lose digits.
  if (!returning) {
    throw sqlError('The list after RETURNING could not be read. Select the rows after the write instead.');
  }
  const { head, list, query } = returning;
  // Without the rest of the statement, the list cannot have values.
  const found = storage.sql.exec(`${withoutValues(query)} LIMIT 0`).columnNames;
  const names = distinctNames(found.map(withPlaceholders));
  const types = declaredTypes(storage, withoutValues(query), drain) ?? names.map(() => undefined);
  const name = unusedName(statement.text);
  const row = `(WITH ${name}(${columnList(names.length)}) AS (SELECT ${list}\n) SELECT ${rowObject(names)} FROM ${name})`;
  return { exact: `${head} ${list}\n, ${row}`, columns: { names, types } };
}

/** Whether the program halts right after the only place where it returns a row. */
function endsBehindRow(program: readonly SqlOutput[][]): boolean {
  const place = program.findIndex(([, instruction]) => instruction === 'ResultRow');
  const isLast = program.findLastIndex(([, instruction]) => instruction === 'ResultRow') === place;
  return isLast && program[place + 1]?.[1] === 'Halt';
}

function planQuery(
  storage: ObjectStorage,
  statement: StatementText,
  { drain, isOneRow }: { drain: () => void; isOneRow: boolean },
): StatementPlan {
  const { text } = statement;
  const prefix = 'SELECT * FROM (';
  const cursor = attemptSql(() => storage.sql.exec(`${prefix}${text}\n) LIMIT 0`, ...valuesFor(statement)), {
    statement,
    bytesBefore: prefix.length,
  });
  const names = distinctNames(cursor.columnNames.map(withPlaceholders));
  const types = declaredTypes(storage, withoutValues(text), drain) ?? names.map(() => undefined);
  const untyped = types.flatMap((type, nth) => (type === undefined ? [nth] : []));
  const exact = exactSelect(text, names, untyped);
  return { kind: 'query', statement, columns: { names, types }, exact, untyped, isOneRow };
}

/**
 * The types that the schema declares for the columns of a query. They are read from a view, which is undone. Undoing it ends
 * open cursors, so drain them first. Undefined if the query cannot be a view.
 */
function declaredTypes(storage: ObjectStorage, query: string, drain: () => void): (string | undefined)[] | undefined {
  drain();
  let types: (string | undefined)[] | undefined;
  withView(storage, query, () => {
    const rows = [...storage.sql.exec(`SELECT type FROM pragma_table_xinfo('${viewName}')`).raw()];
    // A column without a type is reported as BLOB there.
    types = rows.map(([type]) => (type === 'BLOB' || type === '' ? undefined : outputText(type)));
  });
  return types;
}

/** Changes the schema and undoes it, so that each open cursor ends at its next step. */
export const undoChange = (storage: ObjectStorage): void => withView(storage, 'SELECT 1', () => undefined);

/** Works with a view that is undone afterwards. Does nothing if the query cannot be a view. */
function withView(storage: ObjectStorage, query: string, work: () => void): void {
  try {
    storage.transactionSync(() => {
      storage.sql.exec(`CREATE VIEW ${viewName} AS ${query}`);
      work();
      throw new Error('The view is undone.');
    });
  } catch {
    // The view is always undone by an error.
  }
}

const viewName = 'svc_types_of_a_query';

/** Each placeholder needs a value, also to explain a statement. */
const valuesFor = ({ valueCount }: StatementText): string[] => (valueCount > 0 ? ['[]'] : []);

/** The list after RETURNING. */
interface ReturningList {
  /** The statement up to its list. */
  readonly head: string;
  /** The list, with the columns of the table instead of each `*`. */
  readonly list: string;
  /** A query over the table that has the same names and types as the list. */
  readonly query: string;
}

/** RETURNING is reserved, so the last one outside of parentheses begins the list. Undefined if there is none. */
function returningList(storage: ObjectStorage, { text }: StatementText): ReturningList | undefined {
  const tokens = [...meaningfulTokens(text)];
  const parts = tokens.map(({ start, end }) => text.slice(start, end));
  const from = outside(parts).findLast(at => /^returning$/i.test(parts[at]!));
  const table = tableOf(parts.slice(0, from));
  if (from === undefined || table === undefined) return undefined;
  const items = itemsOf(text, tokens.slice(from + 1));
  const list = items.map(item => (item === '*' ? columnsOf(storage, table) : item)).join(', ');
  return { head: text.slice(0, tokens[from]!.end), list, query: `SELECT ${list} FROM ${table}` };
}

/** The indexes of the parts outside of parentheses. */
function outside(parts: readonly string[]): number[] {
  let depth = 0;
  return parts.flatMap((part, at) => {
    if (part === '(') depth++;
    if (part === ')') depth--;
    return depth === 0 ? [at] : [];
  });
}

/** The name after INTO, UPDATE or DELETE FROM, outside of the parentheses of a WITH clause. */
function tableOf(parts: readonly string[]): string | undefined {
  for (const at of outside(parts)) {
    const word = parts[at]!.toUpperCase();
    const previous = parts[at - 1]?.toUpperCase();
    if (word === 'INTO' || (word === 'FROM' && previous === 'DELETE')) return nameAt(parts, at + 1);
    if (word === 'UPDATE' && previous !== 'DO')
      return nameAt(parts, parts[at + 1]?.toUpperCase() === 'OR' ? at + 3 : at + 1);
  }
  return undefined;
}

/** A name with its schema and its alias. */
function nameAt(parts: readonly string[], at: number): string {
  const afterName = parts[at + 1] === '.' ? at + 3 : at + 1;
  const hasAlias = parts[afterName]?.toUpperCase() === 'AS';
  return `${parts.slice(at, afterName).join('')}${hasAlias ? ` AS ${parts[afterName + 1]}` : ''}`;
}

/** The items of a list, divided at the commas outside of parentheses. */
function itemsOf(text: string, tokens: readonly CoarseToken[]): string[] {
  const items: string[] = [];
  const parts = tokens.map(({ start, end }) => text.slice(start, end));
  let start = tokens[0]?.start ?? text.length;
  for (const at of outside(parts).filter(index => parts[index] === ',')) {
    items.push(text.slice(start, tokens[at]!.start).trim());
    start = tokens[at]!.end;
  }
  return [...items, text.slice(start, tokens.at(-1)?.end).trim()];
}

/** `*` does not mean hidden columns. */
function columnsOf(storage: ObjectStorage, table: string): string {
  const names = storage.sql.exec(`SELECT * FROM ${table} LIMIT 0`).columnNames;
  return names.map(quoteIdentifier).join(', ');
}
