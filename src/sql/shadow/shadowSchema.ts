import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { distinctNames } from '../../base/distinctNames.ts';
import { isSameList } from '../../base/isSameList.ts';
import { doInTurns, type Steps, visitInSteps } from '../../base/turns.ts';
import type { FindOrigin } from '../errors/errorRange.ts';
import { placeholders } from '../parameters/placeholders.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { keyOf } from '../text/names.ts';
import { quoteIdentifier } from '../text/quoting.ts';
import { splitStatements } from '../text/splitter.ts';
import { TextCache } from '../text/textCache.ts';
import { mentionedNames } from '../text/mentionedNames.ts';
import { type DdlStatement, ddlStatementOf, schemaObjectOf, tableFromQuery } from './ddlStatement.ts';
import { FatalStatements } from './fatalStatements.ts';
import { type ExplainedStatement, proveIndexes } from './indexProof.ts';
import { alterationDependencies } from './schemaAlteration.ts';
import {
  alteration,
  analysis,
  objectInDatabase,
  creation,
  isEmptyChange,
  projectObjects,
  removal,
  type SchemaChange,
} from './schemaChange.ts';
import { type SchemaObject, namesIn } from './schemaObject.ts';
import { SchemaState } from './schemaState.ts';
import { ShadowEngine } from './shadowEngine.ts';
import { emptyReport, type ShadowReport, type ResultColumn } from './shadowReport.ts';
import { SqliteConnection } from './sqliteConnection.ts';
import { reportOn } from './statementReport.ts';
import { actsWhenPrepared } from './statementWords.ts';
import { hasSubstitute } from './virtualTables.ts';

interface ShadowOptions {
  /** The bytes of sqlite3.wasm. The caller reads them, because this folder does not know the file system. */
  readonly wasmBinary: Uint8Array;
  /** The statements in the project's sqlite_schema, in any order. */
  readonly ddl: readonly string[];
  readonly clock?: Clock;
}

/** Holds as long as the statement depends on the same objects. */
interface Cached<T> {
  readonly objects: readonly SchemaObject[];
  readonly value: T;
}

interface CachedReport extends Cached<ShadowReport> {
  readonly mentioned: readonly string[];
}

/** The check of one statement may meet several objects that break an engine. */
const maxEnginesPerStatement = 3;

/** A project's schema without rows, in memory. Statements are only prepared on it, so that SQLite itself reports their faults. */
export class ShadowSchema implements Disposable {
  /** The project's schema before any statement of a document. */
  readonly state: SchemaState;
  readonly #options: ShadowOptions;
  readonly #fatalStatements = new FatalStatements();
  /** By the text of a statement, so that an edit costs the check of one statement. */
  readonly #reports = new TextCache<CachedReport>();
  readonly #detailedReports = new TextCache<CachedReport>();
  readonly #alterations = new TextCache<Cached<SchemaChange>>();
  /** One object for each text. Cached values compare objects by identity, so new objects would make them useless. */
  readonly #objects = new TextCache<SchemaObject>();
  #engine: ShadowEngine;
  #replacement: Promise<void> | undefined;
  #isDisposed = false;

  private constructor(options: ShadowOptions, state: SchemaState, connection: SqliteConnection) {
    this.#options = options;
    this.state = state;
    this.#engine = new ShadowEngine(connection, this.#fatalStatements);
  }

  static async open(options: ShadowOptions): Promise<ShadowSchema> {
    const state = await doInTurns(projectState(options.ddl));
    return new ShadowSchema(options, state, await openConnection(options));
  }

  /** Checks a statement in a state of the schema, by default the project's. The report has columns and uses. */
  async check(statement: string, state = this.state): Promise<ShadowReport> {
    return this.checkIn(state, statement, true) ?? this.checkInNewEngine(state, statement, true);
  }

  /** The indexes that SQLite would use for a statement of the project. */
  async proveIndexes(explained: ExplainedStatement, schema: TableLookup): Promise<ReturnType<typeof proveIndexes>> {
    if (this.#isBroken) await (this.#replacement ??= this.#replaceEngine());
    const { statement } = explained;
    if (this.#isDisposed || this.#isBroken || isTooLarge(statement) || actsWhenPrepared(statement)) return undefined;
    const connection = this.#engine.open(this.state.dependenciesOf(mentionedNames(statement)));
    const isTaken = (name: string): boolean => this.state.named(keyOf(name)).length > 0;
    try {
      return proveIndexes({ connection, schema, isTaken }, explained);
    } finally {
      connection.close();
    }
  }

  /** sqlite3_stmt_readonly() of a PRAGMA. SQLite may execute it while it prepares it, so the caller knows that it only reads. */
  async isReadOnlyPragma(pragma: string): Promise<boolean> {
    if (this.#isBroken) await (this.#replacement ??= this.#replaceEngine());
    if (this.#isDisposed || this.#isBroken) return false;
    const connection = this.#engine.connectionWith(this.state.dependenciesOf(mentionedNames(pragma)));
    return connection.isReadOnlyPragma(pragma);
  }

  /** Checks a statement in a state of the schema. `detailed` adds columns and uses. Undefined if the engine is broken. */
  checkIn(state: SchemaState, statement: string, detailed: boolean): ShadowReport | undefined {
    if (this.#isDisposed || actsWhenPrepared(statement)) return emptyReport;
    if (this.#fatalStatements.has(statement)) return { ...emptyReport, outcome: 'limitExceeded' };
    const reports = detailed ? this.#detailedReports : this.#reports;
    const lastReport = reports.get(statement);
    if (!lastReport && isTooLarge(statement)) return { ...emptyReport, outcome: 'tooLarge' };
    const mentioned = lastReport?.mentioned ?? [...mentionedNames(statement)];
    const dependencies = state.dependenciesOf(mentioned);
    const { names, objects } = dependencies;
    if (objects.some(({ isUncertain }) => isUncertain)) return { ...emptyReport, outcome: 'uncertain' };
    const cached = valueFor(lastReport, objects);
    if (cached) return cached;
    if (this.#isBroken) return undefined;
    const connection = this.#engine.connectionWith(dependencies);
    if (this.#isBroken) return undefined;
    const found = reportOn(connection, statement, detailed, originFinder(state));
    const report = { ...(objects.some(hasSubstitute) ? withoutModuleFaults(found) : found), dependsOn: names };
    if (this.#isBroken) this.#fatalStatements.add(statement);
    else reports.set(statement, { mentioned, objects, value: report });
    return report;
  }

  /** {@link checkIn} with a new engine in place of a broken one. */
  async checkInNewEngine(state: SchemaState, statement: string, detailed: boolean): Promise<ShadowReport> {
    for (let engines = 0; engines < maxEnginesPerStatement; engines++) {
      await (this.#replacement ??= this.#replaceEngine());
      const report = this.checkIn(state, statement, detailed);
      if (report) return report;
    }
    this.#fatalStatements.add(statement);
    return { ...emptyReport, outcome: 'limitExceeded' };
  }

  /** The state after a statement that SQLite accepts. */
  stateAfter(state: SchemaState, statement: string): SchemaState {
    const ddl = ddlStatementOf(statement);
    if (!ddl || this.#isDisposed) return state;
    return changedState(state, this.#changeBy(ddl, statement, state));
  }

  /** The state after a statement with a fault. For the statements after it, the table that it should create exists. */
  stateAfterFault(state: SchemaState, statement: string): SchemaState {
    const ddl = ddlStatementOf(statement);
    if (ddl?.kind !== 'create' || this.#isDisposed) return state;
    const { kind } = ddl.object;
    if (kind === 'index' || kind === 'trigger') return state;
    const object: SchemaObject = { ...objectInDatabase(ddl, state), isUncertain: true };
    return changedState(state, creation(this.#unique(object), state));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#reports.clear();
    this.#detailedReports.clear();
    this.#alterations.clear();
    this.#objects.clear();
  }

  #changeBy(ddl: DdlStatement, statement: string, state: SchemaState): SchemaChange {
    switch (ddl.kind) {
      case 'create': {
        const object = this.#withQueriedColumns(objectInDatabase(ddl, state), state);
        return creation(this.#unique(object), state);
      }
      case 'drop':
        return removal(ddl, state);
      case 'alter':
        return alteration(this.#alterationBy(statement, ddl.name, state), state);
      case 'analyze':
        return analysis(ddl, state);
    }
  }

  /** Replaces the query of CREATE TABLE … AS by its columns. Executing the statement would execute the query. */
  #withQueriedColumns(object: SchemaObject, state: SchemaState): SchemaObject {
    const parts = tableFromQuery(object.sql);
    if (!parts) return object;
    const connection = this.#engine.connectionWith(state.dependenciesOf(mentionedNames(parts.query)));
    const result = connection.prepare(parts.query, true);
    if (result.kind !== 'prepared') return { ...object, isUncertain: true };
    return { ...object, sql: parts.head + columnDefinitions(result.columns) };
  }

  #unique(object: SchemaObject): SchemaObject {
    const key = `${object.isUncertain ? 'uncertain ' : ''}${object.database} ${object.sql}`;
    const cached = this.#objects.get(key);
    if (cached) return cached;
    this.#objects.set(key, object);
    return object;
  }

  #alterationBy(statement: string, table: string, state: SchemaState): SchemaChange {
    const dependencies = alterationDependencies(state, table);
    const { objects } = dependencies;
    const cached = valueFor(this.#alterations.get(statement), objects);
    if (cached) return cached;
    const value = this.#engine.alterationBy(statement, dependencies);
    this.#alterations.set(statement, { objects, value });
    return value;
  }

  get #isBroken(): boolean {
    return this.#engine.isBroken;
  }

  async #replaceEngine(): Promise<void> {
    try {
      if (!this.#isBroken || this.#isDisposed) return;
      this.#engine = new ShadowEngine(await openConnection(this.#options), this.#fatalStatements);
    } finally {
      this.#replacement = undefined;
    }
  }
}

function* projectState(ddl: readonly string[]): Steps<SchemaState> {
  const objects: SchemaObject[] = [];
  yield* visitInSteps(ddl, sql => {
    const object = schemaObjectOf(sql);
    // A service may send any text. Only a single statement without a query is executed.
    const isDefinition = splitStatements(sql).length === 1 && !tableFromQuery(sql);
    if (object) objects.push(isDefinition ? object : { ...object, isUncertain: true });
  });
  return yield* SchemaState.of(yield* projectObjects(objects));
}

async function openConnection({ wasmBinary, clock = systemClock }: ShadowOptions): Promise<SqliteConnection> {
  return SqliteConnection.open(wasmBinary, clock);
}

/** A virtual table's module may know more than its substitute: hidden columns, functions, more values. */
function withoutModuleFaults(report: ShadowReport): ShadowReport {
  const problems = report.problems.filter(({ message }) => message.startsWith('no such table: '));
  if (problems.length === report.problems.length) return report;
  const isUnknown = report.outcome === 'refused' && problems.length === 0;
  return isUnknown ? { ...emptyReport, outcome: 'uncertain' } : { ...report, problems };
}

function changedState(state: SchemaState, change: SchemaChange): SchemaState {
  return isEmptyChange(change) ? state : state.with(change);
}

const valueFor = <T>(cached: Cached<T> | undefined, objects: readonly SchemaObject[]): T | undefined =>
  cached && isSameList(cached.objects, objects) ? cached.value : undefined;

/** SQLite prepares this much without a noticeable pause, and people write less by hand. */
const maxCheckedLength = 128_000;

/** SQLite compares each name of a parameter with all earlier ones. */
const maxNamedParameters = 1000;

/** Whether a check at each keystroke would cause a pause. Such a statement is data rather than code. */
function isTooLarge(statement: string): boolean {
  if (statement.length > maxCheckedLength) return true;
  // A named parameter has at least two characters.
  if (statement.length < 2 * maxNamedParameters || !/[:@$]/.test(statement)) return false;
  return placeholders(statement).filter(({ start }) => statement[start] !== '?').length > maxNamedParameters;
}

/** Finds the view or table in a statement whose definition or trigger mentions a missing name. */
function originFinder(state: SchemaState): FindOrigin {
  return (mentioned, missingName) => {
    const missingKey = keyOf(missingName);
    const candidates = [...new Set(mentioned)].filter(name => name !== missingKey && state.named(name).length > 0);
    return (
      candidates.find(name => isReadByView(state, name, missingKey)) ??
      candidates.find(name => state.dependenciesOf([name]).names.has(missingKey))
    );
  };
}

/** Whether a view mentions a name, directly or through other views. */
function isReadByView(state: SchemaState, view: string, name: string): boolean {
  const visited = new Set([view]);
  // The iteration also visits the items that the loop adds.
  for (const visitedName of visited) {
    if (visitedName === name) return true;
    for (const object of state.named(visitedName)) {
      if (object.kind === 'view') for (const innerName of namesIn(object)) visited.add(innerName);
    }
  }
  return false;
}

/** The column definitions that CREATE TABLE … AS makes of a query. As in SQLite, repeated names get numbers. */
export function columnDefinitions(columns: readonly ResultColumn[]): string {
  const names = distinctNames(
    columns.map(({ name }) => name),
    keyOf,
  );
  const definitions = columns.map(({ declaredType }, index) => {
    return `${quoteIdentifier(names[index]!)} ${declaredType === undefined ? '' : quoteIdentifier(declaredType)}`.trimEnd();
  });
  return `(${definitions.join(', ')})`;
}
