import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { splitStatements } from '../splitter.ts';
import { errorPlace } from './errorPlace.ts';
import {
  changesSchema,
  columnDefinitions,
  createsVirtualTable,
  mayActWhenPrepared,
  tableFromQuery,
  virtualTableStandIns,
} from './schemaChange.ts';
import { emptyReport, type ShadowProblem, type ShadowReport } from './shadowReport.ts';
import { type Prepared, SqliteConnection, type Verdict } from './sqliteConnection.ts';

export interface ShadowOptions {
  /** The bytes of sqlite3.wasm: whoever has a schema to check against reads them. */
  readonly wasmBinary: Uint8Array;
  /** What the project's sqlite_schema holds, in its order. */
  readonly ddl: readonly string[];
  /** Functions that the service has besides SQLite's own. */
  readonly functions?: readonly string[];
  readonly clock?: Clock;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface CheckedStatement extends Range {
  readonly report: ShadowReport;
}

/** What a statement is checked in: the schema after some changes of the document, by its number and by their text. */
interface Setting {
  readonly state: number;
  readonly changes: readonly string[];
  readonly detailed: boolean;
}

const keyOf = (statement: string, state: number, detailed: boolean): string => `${state} ${detailed}\n${statement}`;

const missingFunction = /^(?:no such|unknown) function: (.*?)(?:\(\))?$/s;
const notAWindowFunction =
  /^(.*)\(\) may not be used as a window function$|FILTER may not be used with non-aggregate (.*)\(\)$/;
const mostStandIns = 50;
const mostRemembered = 20_000;
const mostBreakers = 100;

/**
 * A project's schema without its rows, in an empty database in memory. Statements are only prepared on it, which gives
 * SQLite's own word on them. Calls are done one after the other.
 */
export class ShadowSchema implements Disposable {
  readonly #options: ShadowOptions;
  #connection: SqliteConnection;
  #queue: Promise<unknown> = Promise.resolve();
  #disposed = false;
  /** How many changes of the document are in place, within a savepoint. */
  #applied = 0;
  /** Functions that those changes needed. */
  #documentFunctions: string[] = [];
  readonly #breakers = new Set<string>();
  /** Reports by the state of the schema and the text of the statement, so that an edit asks for one statement anew. */
  readonly #reports = new Map<string, ShadowReport>();
  readonly #states = new Map<string, number>();
  #lastState = 0;

  private constructor(options: ShadowOptions, connection: SqliteConnection) {
    this.#options = options;
    this.#connection = connection;
    this.#loadSchema();
  }

  static async open(options: ShadowOptions): Promise<ShadowSchema> {
    return new ShadowSchema(options, await SqliteConnection.open(options.wasmBinary, options.clock ?? systemClock));
  }

  /** What SQLite says of one statement, with the project's schema as it is. */
  async check(statement: string): Promise<ShadowReport> {
    return this.#enqueue(() => this.#checked(statement, { state: 0, changes: [], detailed: true }));
  }

  /**
   * The same for each statement of a document, where a change of the schema counts for the statements behind it.
   * Columns and uses take most of the time and are only found out for statements that `isDetailed` asks them of.
   */
  async checkDocument(
    text: string,
    isDetailed: (statement: Range) => boolean = () => false,
  ): Promise<CheckedStatement[]> {
    return this.#enqueue(async () => {
      const checked: CheckedStatement[] = [];
      const changes: string[] = [];
      let state = 0;
      try {
        for (const { start, end } of splitStatements(text)) {
          const statement = text.slice(start, end);
          const detailed = isDetailed({ start, end });
          const known = this.#reports.get(keyOf(statement, state, detailed));
          const report = known ?? (await this.#checked(statement, { state, changes, detailed }));
          if (report.outcome === 'prepared' && changesSchema(statement)) {
            changes.push(statement);
            state = this.#stateAfter(state, statement);
          }
          checked.push({ start, end, report });
        }
      } finally {
        this.#undoChanges();
      }
      return checked;
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#reports.clear();
    this.#states.clear();
  }

  async #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #checked(statement: string, { state, changes, detailed }: Setting): Promise<ShadowReport> {
    if (this.#disposed || this.#breakers.has(statement) || mayActWhenPrepared(statement)) return emptyReport;
    const key = keyOf(statement, state, detailed);
    const known = this.#reports.get(key);
    if (known) return known;
    do {
      if (this.#isBroken()) await this.#replaceConnection();
      this.#applyChanges(changes);
    } while (this.#isBroken() && this.#breakers.size < mostBreakers);
    const report = this.#report(statement, detailed);
    if (this.#isBroken()) {
      this.#rememberBreaker(statement);
      return report;
    }
    if (this.#reports.size >= mostRemembered) this.#reports.clear();
    this.#reports.set(key, report);
    return report;
  }

  async #replaceConnection(): Promise<void> {
    this.#connection = await SqliteConnection.open(this.#options.wasmBinary, this.#options.clock ?? systemClock);
    this.#applied = 0;
    this.#documentFunctions = [];
    this.#loadSchema();
  }

  /** What broke the engine once is not given to it again. */
  #rememberBreaker(sql: string): void {
    if (this.#breakers.size >= mostBreakers) this.#breakers.clear();
    this.#breakers.add(sql);
  }

  #report(statement: string, detailed: boolean): ShadowReport {
    const problems: ShadowProblem[] = [];
    const standIns = new Map<string, 'scalar' | 'window'>();
    try {
      for (;;) {
        const prepared = this.#connection.prepare(statement, detailed);
        if (prepared.kind === 'error' && this.#standIn(prepared.message, standIns)) {
          const place = this.#missingFunctionPlace(statement, prepared);
          if (place) problems.push(place);
        } else return reportOf(statement, prepared, problems);
      }
    } finally {
      for (const name of standIns.keys()) this.#connection.removeFunction(name);
    }
  }

  /** Puts a function in place that an error misses. Tells whether that may help. */
  #standIn(message: string, standIns: Map<string, 'scalar' | 'window'>): boolean {
    const missing = missingFunction.exec(message)?.[1];
    const [, over, filtered] = notAWindowFunction.exec(message) ?? [];
    const wrongKind = over ?? filtered;
    if (missing !== undefined && !standIns.has(missing) && standIns.size < mostStandIns) {
      standIns.set(missing, 'scalar');
      this.#connection.addFunction(missing, 'scalar');
      return true;
    }
    if (wrongKind !== undefined && standIns.get(wrongKind) === 'scalar') {
      standIns.set(wrongKind, 'window');
      this.#connection.addFunction(wrongKind, 'window');
      return true;
    }
    return false;
  }

  /** A function that only a view or a trigger of the project calls is the project's affair and no problem here. */
  #missingFunctionPlace(statement: string, error: Extract<Verdict, { kind: 'error' }>): ShadowProblem | undefined {
    const name = missingFunction.exec(error.message)?.[1]?.toLowerCase();
    if (name === undefined) return undefined;
    const place = errorPlace(statement, error.message, error.offset);
    const there = statement.slice(place.start, place.end).toLowerCase().includes(name);
    return there ? { message: error.message, ...place } : undefined;
  }

  #loadSchema(): void {
    for (const name of this.#options.functions ?? []) this.#connection.addFunction(name, 'scalar');
    const ddl = this.#options.ddl.filter(changesSchema);
    // Virtual tables come first, because they make tables of their own, which the schema lists as well.
    const ordered = [...ddl.filter(createsVirtualTable), ...ddl.filter(sql => !createsVirtualTable(sql))];
    this.#connection.execute('BEGIN');
    // What failed for the lack of something that comes later gets a second chance.
    for (const sql of ordered.filter(text => !this.#change(text))) this.#change(sql);
    this.#connection.execute('COMMIT');
  }

  #applyChanges(changes: readonly string[]): void {
    if (this.#applied === changes.length) return;
    if (this.#applied === 0) this.#connection.execute('SAVEPOINT document');
    const functions = new Set<string>();
    for (const sql of changes.slice(this.#applied)) this.#change(sql, functions);
    this.#documentFunctions.push(...functions);
    this.#applied = changes.length;
  }

  #undoChanges(): void {
    if (this.#applied > 0) {
      this.#connection.execute('ROLLBACK TO document');
      this.#connection.execute('RELEASE document');
    }
    for (const name of this.#documentFunctions) this.#connection.removeFunction(name);
    this.#applied = 0;
    this.#documentFunctions = [];
  }

  /** Makes a change of the schema, or what comes nearest to it. Tells whether it is in place. */
  #change(sql: string, functions = new Set<string>()): boolean {
    if (this.#isBroken() || this.#breakers.has(sql)) return false;
    const done = this.#executeChange(sql, functions);
    if (this.#isBroken()) this.#rememberBreaker(sql);
    return done;
  }

  #isBroken(): boolean {
    return this.#connection.isBroken;
  }

  #executeChange(sql: string, functions: Set<string>): boolean {
    const fromQuery = tableFromQuery(sql);
    if (fromQuery) {
      const prepared = this.#connection.prepare(fromQuery.query, true);
      if (prepared.kind !== 'prepared') return false;
      return this.#connection.execute(fromQuery.head + columnDefinitions(prepared.columns)).kind === 'ok';
    }
    for (;;) {
      const verdict = this.#connection.execute(sql);
      if (verdict.kind !== 'error') return verdict.kind === 'ok';
      if (verdict.message.startsWith('no such module')) {
        return virtualTableStandIns(sql).some(other => this.#connection.execute(other).kind === 'ok');
      }
      const missing = missingFunction.exec(verdict.message)?.[1];
      if (missing === undefined || functions.has(missing) || functions.size >= mostStandIns) return false;
      functions.add(missing);
      this.#connection.addFunction(missing, 'scalar');
    }
  }

  #stateAfter(state: number, change: string): number {
    const key = `${state}\n${change}`;
    if (this.#states.size >= mostRemembered) {
      this.#states.clear();
      this.#reports.clear();
    }
    const known = this.#states.get(key) ?? ++this.#lastState;
    this.#states.set(key, known);
    return known;
  }
}

function reportOf(statement: string, prepared: Prepared, problems: readonly ShadowProblem[]): ShadowReport {
  if (prepared.kind === 'prepared') {
    const { columns, parameterCount, readOnly, uses } = prepared;
    return { outcome: 'prepared', problems, columns, parameterCount, readOnly, uses };
  }
  if (prepared.kind !== 'error') return { ...emptyReport, outcome: 'cutOff', problems };
  const place = errorPlace(statement, prepared.message, prepared.offset);
  return { ...emptyReport, outcome: 'refused', problems: [...problems, { message: prepared.message, ...place }] };
}
