import type { Name } from 'sqlite3-parser';
import { errorRange, type FindOrigin } from '../errors/errorRange.ts';
import { rangeOf, rangeOfResult } from '../parser/nodeRange.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { sqlLiteral, quoteIdentifier, unquoted } from '../text/quoting.ts';
import type { TextRange } from '../text/textRange.ts';
import { mentionedNames } from '../text/mentionedNames.ts';
import { FaultNodes, type NamedSource } from './faultNodes.ts';
import { PatchedText } from './patchedText.ts';
import type { ShadowProblem } from './shadowReport.ts';
import type { ExecuteResult, SqliteConnection } from './sqliteConnection.ts';
import { wordsOf } from './statementWords.ts';

export type SqliteError = Extract<ExecuteResult, { kind: 'error' }>;

/** A statement with more faults is reported in part. */
const maxPatches = 50;

/** Reports an error and removes it from the statement. Returns whether SQLite may find another one. */
type FaultRule = (error: SqliteError, groups: RegExpExecArray) => boolean;

/**
 * The faults of a statement. SQLite stops at the first one. So each fault is removed before the statement is prepared again:
 * a parameter replaces a wrong column, and a stub replaces an unknown table.
 */
export class StatementFaults {
  readonly problems: ShadowProblem[] = [];
  readonly #connection: SqliteConnection;
  readonly #findOrigin: FindOrigin;
  readonly #addStubFunction: () => string;
  readonly #text: PatchedText;
  readonly #stub: StubTable;
  /** The keys of wrong columns. A parameter took their place, so no result column has these names. */
  readonly #lostNames = new Set<string>();
  readonly #wrongJoinColumns = new Set<Name>();
  #nodes: FaultNodes | undefined;
  #errorCount = 0;
  /** Whether a patch changed the columns that a star stands for. */
  #hasChangedStar = false;

  readonly #rules: readonly (readonly [message: RegExp, rule: FaultRule])[] = [
    [/^no such table: (.*)$/s, (error, [, table = '']) => this.#addTable(error, table)],
    [
      /^(?:no such column|ambiguous column name): (.*?)(?: - should this be a string literal in single-quotes\?)?$/s,
      (error, [, column = '']) => this.#addColumn(error, column),
    ],
    [
      /^cannot UPDATE generated column "(.*)"$/s,
      (error, [, column = '']) => this.#addTargetColumn(error, column, this.nodes.setColumns),
    ],
    [
      /^(?:table .* has no column named (.*)|cannot INSERT into generated column "(.*)")$/s,
      (error, [, unknown, generated = '']) =>
        this.#addTargetColumn(error, unknown ?? generated, this.nodes.insert?.columns ?? []),
    ],
    [
      /^cannot join using column (.*) - column not present in both tables$/s,
      (error, [, column = '']) => this.#addJoinColumn(error, column),
    ],
    [
      /^(?:\d+ values for (\d+) columns|table .* has (\d+) columns but \d+ values were supplied)$/s,
      (error, [, listed, all]) => this.#addCount(error, Number(listed ?? all)),
    ],
    [
      /^(\d+)\w\w (ORDER|GROUP) BY term /,
      (error, [, position, clause]) => this.#addTerm(error, Number(position), clause),
    ],
    [
      /^wrong number of arguments to function |^misuse of (?:aggregate|window) function /,
      error => this.#addCall(error),
    ],
    [
      /^SELECTs to the left and right of .* do not have the same number of result columns$/,
      error => this.#addUnequal(error),
    ],
    [/^ON CONFLICT clause does not match /, error => this.#addConflict(error)],
  ];

  /** `addStubFunction` adds a function that takes any arguments, and returns its name. */
  constructor(connection: SqliteConnection, statement: string, findOrigin: FindOrigin, addStubFunction: () => string) {
    this.#connection = connection;
    this.#findOrigin = findOrigin;
    this.#addStubFunction = addStubFunction;
    this.#text = new PatchedText(statement);
    this.#stub = new StubTable(connection, statement);
  }

  /** The statement with a patch for each reported fault. */
  get text(): string {
    return this.#text.text;
  }

  get nodes(): FaultNodes {
    return (this.#nodes ??= new FaultNodes(this.#text.original));
  }

  /** Converts an offset of {@link text} to one of the statement. Undefined within a patch. */
  originalOffset(offset: number): number | undefined {
    return offset < 0 ? offset : this.#text.originalOffset(offset);
  }

  /** The ranges of a function's name in its calls. */
  callsOf(called: string): TextRange[] {
    return this.nodes.calls.filter(({ name }) => isSameName(name.name, called)).map(({ name }) => rangeOf(name));
  }

  /** Reports and patches an error of {@link text}, unless a patch may be its cause. Returns whether SQLite may find another one. */
  add({ kind, message, offset }: SqliteError): boolean {
    const originalOffset = this.originalOffset(offset);
    if (originalOffset === undefined || ++this.#errorCount > maxPatches) return false;
    const error = { kind, message, offset: originalOffset };
    for (const [pattern, rule] of this.#rules) {
      const groups = pattern.exec(message);
      if (groups) return rule(error, groups);
    }
    return this.#addLast(error);
  }

  end(): void {
    this.#stub.drop();
  }

  #report(message: string, { start, end }: TextRange): void {
    this.problems.push({ message, start, end });
  }

  /** Reports an error that no patch can remove, if it is the only one. */
  #addLast(error: SqliteError): false {
    if (this.problems.length === 0) this.#report(error.message, this.#rangeOf(error));
    return false;
  }

  #rangeOf({ message, offset }: SqliteError): TextRange {
    return errorRange(this.#text.original, message, offset, this.#findOrigin);
  }

  #addTable(error: SqliteError, table: string): boolean {
    const named = this.#isIndirect(table) ? [] : this.nodes.tablesNamed(table);
    const unknown = named.filter(({ name }) => !this.#text.isPatched(rangeOf(name.objName)));
    if (unknown.length === 0) return this.#addStar(error, table);
    for (const { name } of unknown) this.#report(error.message, rangeOf(name.objName));
    return unknown.every(source => this.#replaceTable(source));
  }

  /** Whether SQLite's message names a database that the statement does not, as for a table that is missing in a view. */
  #isIndirect(table: string): boolean {
    const database = /^(main|temp)\./.exec(table)?.[1];
    return (
      database !== undefined && !wordsOf(this.#text.original).some(({ text }) => keyOf(unquoted(text)) === database)
    );
  }

  #replaceTable({ name, place, alias }: NamedSource): boolean {
    const { dbName, objName } = name;
    const range = { start: rangeOf(dbName ?? objName).start, end: rangeOf(objName).end };
    if (place === 'call') return false;
    if (place === 'argument') return this.#text.patch(range, '(SELECT NULL)');
    const stub = this.#stub.named(alias === undefined ? objName.text : undefined);
    return stub !== undefined && this.#text.patch(range, stub);
  }

  /** Reports the table of a star that is not in FROM. If FROM has an unknown table, the star most likely means that one. */
  #addStar(error: SqliteError, table: string): boolean {
    const star = this.nodes.stars.find(node => isSameName(node.table.text, table) && !this.#isPatched(node.table));
    if (!star) return this.#addLast(error);
    if (!this.#stub.exists) this.#report(error.message, rangeOf(star.table));
    this.#hasChangedStar = true;
    return this.#text.patch(rangeOfResult(star), 'NULL');
  }

  #isPatched(name: Name): boolean {
    return this.#text.isPatched(rangeOf(name));
  }

  #addColumn(error: SqliteError, column: string): boolean {
    const { message, offset } = error;
    const joinColumn = offset < 0 ? this.#joinColumn(column) : undefined;
    // SQLite reports no offset for columns that an UPDATE sets, that are in ON, or that are in a view.
    if (offset < 0 && !joinColumn) return this.#addTargetColumn(error, column, this.nodes.setColumns);
    const range = joinColumn ?? this.#rangeOf(error);
    const parts = this.#namePartsIn(range);
    const name = parts.at(-1) ?? '';
    // The outer query may read a column of a subquery whose name a patch removed.
    const isLost = this.nodes.queryCount > 1 && this.#lostNames.has(name);
    if (!isLost && !this.#mayBeOther(error, parts)) this.#report(message, range);
    this.#lostNames.add(name);
    return this.#text.patch(range, '? ');
  }

  /** The range of a column in ON. Undefined if an UPDATE sets a column of that name: SQLite checks that one first. */
  #joinColumn(column: string): TextRange | undefined {
    const { joinColumns, setColumns } = this.nodes;
    if (setColumns.some(name => isSameName(name.text, column) && !this.#isPatched(name))) return undefined;
    const key = keyOf(column);
    return joinColumns
      .map(rangeOf)
      .find(range => !this.#text.isPatched(range) && this.#namePartsIn(range).join('.') === key);
  }

  /** The keys of the names in a qualified name. */
  #namePartsIn({ start, end }: TextRange): string[] {
    const words = wordsOf(this.#text.original.slice(start, end));
    return Array.from(words, ({ text }) => keyOf(unquoted(text))).filter(part => part !== '.');
  }

  /** Whether a column may be one of an unknown table, or one that USING merged before a patch. */
  #mayBeOther({ message }: SqliteError, parts: readonly string[]): boolean {
    if (message.startsWith('ambiguous') && this.#wrongJoinColumns.size > 0) return true;
    if (!this.#stub.exists) return false;
    const qualifier = parts.at(-2);
    if (qualifier !== undefined) return !this.#isKnownSource(qualifier);
    if (!message.startsWith('ambiguous')) return false;
    const result = this.#stub.without(parts[0] ?? '', () => this.#connection.prepare(this.text, false));
    return result.kind !== 'error' || result.message !== message;
  }

  #isKnownSource(key: string): boolean {
    const { sources, otherAliases } = this.nodes;
    return (
      key === 'excluded' ||
      otherAliases.some(alias => keyOf(alias) === key) ||
      sources.some(({ name, alias }) => !this.#isPatched(name.objName) && keyOf(alias ?? name.objName.text) === key)
    );
  }

  /** Reports a column in the list of INSERT, or one that UPDATE sets. Any other column of the table replaces it. */
  #addTargetColumn(error: SqliteError, column: string, names: readonly Name[]): boolean {
    const name = names.find(node => isSameName(node.text, column) && !this.#isPatched(node));
    if (!name) return this.#addLast(error);
    this.#report(error.message, rangeOf(name));
    const replacement = this.#targetColumn();
    return replacement !== undefined && this.#text.patch(rangeOf(name), quoteIdentifier(replacement));
  }

  /** A column of the changed table that is neither generated nor hidden. */
  #targetColumn(): string | undefined {
    const { target } = this.nodes;
    if (!target) return undefined;
    const names = [target.objName, target.dbName].flatMap(name => (name ? sqlLiteral(name.text) : []));
    const [row] = this.#connection.rows(`SELECT name FROM pragma_table_xinfo(${names.join(', ')}) WHERE hidden = 0`);
    return row?.[0];
  }

  #addJoinColumn(error: SqliteError, column: string): boolean {
    const isWrong = (name: Name): boolean => isSameName(name.text, column) && !this.#wrongJoinColumns.has(name);
    const joins = this.nodes.joins.filter(({ columns }) => columns.some(isWrong));
    const [join] = joins;
    // SQLite does not say which of several joins it means.
    if (!join || joins.length > 1) return this.#addLast(error);
    const wrong = join.columns.find(isWrong)!;
    this.#report(error.message, rangeOf(wrong));
    this.#wrongJoinColumns.add(wrong);
    this.#hasChangedStar = true;
    const others = join.columns.filter(name => !this.#wrongJoinColumns.has(name));
    const list = others.map(({ text }) => quoteIdentifier(text)).join(', ');
    return this.#text.patch(rangeOf(join), list === '' ? '' : `USING (${list})`);
  }

  /** Reports a wrong count of inserted values. SQLite has checked the values before, so a patch may replace them. */
  #addCount(error: SqliteError, columnCount: number): boolean {
    const { insert } = this.nodes;
    if (insert?.body.type !== 'SelectInsertBody') return this.#addLast(error);
    const table = insert.tblName.objName;
    const isOfStub = !insert.columns && this.#isPatched(table);
    const values = Array.from({ length: columnCount }, () => 'NULL').join(', ');
    // If the patch changes nothing, a trigger has the wrong count.
    if (!this.#text.patch(rangeOf(insert.body.select), `VALUES (${values})`)) return false;
    if (!isOfStub && !this.#isCountUncertain) this.#report(error.message, rangeOf(table));
    return true;
  }

  /** Whether patches may have changed the number of columns of a query. */
  get #isCountUncertain(): boolean {
    return this.#hasChangedStar || (this.#stub.exists && this.nodes.hasStar);
  }

  /** Reports a term of ORDER BY or GROUP BY. The number of a column replaces it. */
  #addTerm(error: SqliteError, position: number, clause = ''): boolean {
    const { message, offset } = error;
    const isNumber = message.includes('out of range');
    const term = this.nodes.terms.find(({ expr, isOfCompound, ...other }) => {
      const range = rangeOf(expr);
      const isPossible = offset < 0 ? isNumber || isOfCompound : range.start <= offset && offset < range.end;
      return isPossible && other.position === position && other.clause === clause && !this.#text.isPatched(range);
    });
    if (!term) return this.#addLast(error);
    const { expr } = term;
    const isLost = expr.type === 'Id' && this.#lostNames.has(keyOf(expr.name));
    if (!isLost && !this.#isCountUncertain) this.#report(message, rangeOf(expr));
    return this.#text.patch(rangeOf(expr), '1');
  }

  /** Reports a call with wrong arguments or at a wrong place. Another function replaces it, and its arguments stay. */
  #addCall(error: SqliteError): boolean {
    const { calls, joinCalls } = this.nodes;
    const called = /(\w+)\(\)/.exec(error.message)?.[1] ?? '';
    const inJoin = joinCalls.filter(
      ({ name }) => isSameName(name.name, called) && !this.#text.isPatched(rangeOf(name)),
    );
    const [call, ...others] =
      error.offset < 0 ? inJoin : calls.filter(({ name }) => rangeOf(name).start === error.offset);
    if (!call || others.length > 0) return this.#addLast(error);
    this.#report(error.message, rangeOf(call.name));
    return this.#text.patch(rangeOf(call.name), this.#addStubFunction());
  }

  /** Reports queries with different numbers of columns. No patch makes them equal without hiding their other faults. */
  #addUnequal(error: SqliteError): false {
    if (!this.#isCountUncertain) this.#report(error.message, this.#rangeOf(error));
    return false;
  }

  /** If a patch replaced a wrong column of ON CONFLICT, no index fits. The row id replaces all columns then. */
  #addConflict(error: SqliteError): boolean {
    const ranges = this.nodes.conflictTargets.map(({ targets }) => ({
      start: rangeOf(targets[0]!.expr).start,
      end: rangeOf(targets.at(-1)!.expr).end,
    }));
    const patched = ranges.find(range => this.#text.isPatched(range));
    return patched ? this.#text.patch(patched, 'rowid') : this.#addLast(error);
  }
}

const tableName = quoteIdentifier('sqlProjects: unknown table');

/** The most columns that SQLite allows. */
const maxColumns = 2000;

/** Stands for all unknown tables of a statement. Their columns are unknown, so it has one for each name in the statement. */
class StubTable {
  readonly #connection: SqliteConnection;
  readonly #columns: ReadonlySet<string>;
  #exists = false;

  constructor(connection: SqliteConnection, statement: string) {
    this.#connection = connection;
    this.#columns = mentionedNames(statement).difference(new Set(['']));
  }

  get exists(): boolean {
    return this.#exists;
  }

  /** The SQL that names the table in FROM, with an alias. Undefined if the table cannot be created. */
  named(alias: string | undefined): string | undefined {
    if (!this.#exists) this.#create(this.#columns);
    if (!this.#exists) return undefined;
    return `temp.${tableName}${alias === undefined ? '' : ` AS ${quoteIdentifier(alias)}`}`;
  }

  without<Result>(column: string, call: () => Result): Result {
    this.drop();
    this.#create(this.#columns.difference(new Set([column])));
    const result = call();
    this.drop();
    this.#create(this.#columns);
    return result;
  }

  drop(): void {
    if (this.#exists) this.#connection.execute(`DROP TABLE temp.${tableName}`);
    this.#exists = false;
  }

  #create(columns: ReadonlySet<string>): void {
    if (columns.size > maxColumns) return;
    const list = Array.from(columns, quoteIdentifier).join(', ');
    this.#exists = this.#connection.execute(`CREATE TEMP TABLE ${tableName} (${list})`).kind === 'ok';
  }
}
