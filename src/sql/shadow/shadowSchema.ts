import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { TextMemory } from '../text/textMemory.ts';
import { Breakers } from './breakers.ts';
import {
  alteration,
  analysis,
  creation,
  type DefinitionChange,
  placed,
  projectDefinitions,
  removal,
} from './definitionChange.ts';
import { type Definition, definitionOf, mentionedNames, type SchemaChange, schemaChangeOf } from './definition.ts';
import { originIn } from './faultOrigin.ts';
import { alterable } from './schemaAlteration.ts';
import { columnDefinitions, mayActWhenPrepared, tableFromQuery } from './schemaChange.ts';
import { SchemaState } from './schemaState.ts';
import { ShadowEngine } from './shadowEngine.ts';
import { emptyReport, type ShadowReport } from './shadowReport.ts';
import { SqliteConnection } from './sqliteConnection.ts';
import { reportOn } from './statementReport.ts';
import { isTooLarge } from './tooLarge.ts';

export interface ShadowOptions {
  /** The bytes of sqlite3.wasm: whoever has a schema to check against reads them. */
  readonly wasmBinary: Uint8Array;
  /** What the project's sqlite_schema holds, in any order. */
  readonly ddl: readonly string[];
  /** Functions that the service has besides SQLite's own. */
  readonly functions?: readonly string[];
  readonly clock?: Clock;
}

/** Something that was found out with certain definitions in place, and holds as long as they are the same ones. */
interface Known<T> {
  readonly definitions: readonly Definition[];
  readonly value: T;
}

interface KnownReport extends Known<ShadowReport> {
  /** What the statement mentions, whatever the schema is. */
  readonly mentioned: readonly string[];
}

/** How many engines one statement may cost, each broken by another thing in the schema. */
const mostEngines = 3;

/**
 * A project's schema without its rows, in an empty database in memory. Statements are only prepared on it, which gives
 * SQLite's own word on them.
 */
export class ShadowSchema implements Disposable {
  /** The project's schema, as it is before any statement of a document. */
  readonly state: SchemaState;
  readonly #options: ShadowOptions;
  readonly #breakers = new Breakers();
  /** By text, so that an edit asks for one statement anew. */
  readonly #reports = new TextMemory<KnownReport>();
  readonly #detailedReports = new TextMemory<KnownReport>();
  readonly #alterations = new TextMemory<Known<DefinitionChange>>();
  /** The same text is the same definition, or all that was found out with it would be lost with each edit before it. */
  readonly #definitions = new TextMemory<Definition>();
  #engine: ShadowEngine;
  #replacement: Promise<void> | undefined;
  #disposed = false;

  private constructor(options: ShadowOptions, connection: SqliteConnection) {
    this.#options = options;
    const definitions = options.ddl.map(sql => definitionOf(sql)).filter(definition => definition !== undefined);
    this.state = SchemaState.of(projectDefinitions(definitions));
    this.#engine = this.#engineOn(connection);
  }

  static async open(options: ShadowOptions): Promise<ShadowSchema> {
    return new ShadowSchema(options, await connectionFor(options));
  }

  /** What SQLite says of one statement, with the project's schema as it is. */
  async check(statement: string): Promise<ShadowReport> {
    return this.judge(statement, this.state, true) ?? this.judgeAnew(statement, this.state, true);
  }

  /** What SQLite says of a statement in a state of the schema. Undefined when the engine is broken. */
  judge(statement: string, state: SchemaState, detailed: boolean): ShadowReport | undefined {
    if (this.#disposed || mayActWhenPrepared(statement)) return emptyReport;
    if (this.#breakers.has(statement)) return { ...emptyReport, outcome: 'cutOff' };
    const reports = detailed ? this.#detailedReports : this.#reports;
    const last = reports.get(statement);
    if (!last && isTooLarge(statement)) return { ...emptyReport, outcome: 'tooLarge' };
    const mentioned = last?.mentioned ?? [...mentionedNames(statement)];
    const surroundings = state.around(mentioned);
    const { definitions } = surroundings;
    if (definitions.some(({ isUncertain }) => isUncertain)) return { ...emptyReport, outcome: 'uncertain' };
    const known = valueFor(last, definitions);
    if (known) return known;
    if (this.#isBroken) return undefined;
    const connection = this.#engine.arranged(surroundings);
    if (this.#isBroken) return undefined;
    const report = { ...reportOn(connection, statement, detailed, originIn(state)), dependsOn: surroundings.names };
    if (this.#isBroken) this.#breakers.add(statement);
    else reports.set(statement, { mentioned, definitions, value: report });
    return report;
  }

  /** The same with another engine, when the one that was there is broken. */
  async judgeAnew(statement: string, state: SchemaState, detailed: boolean): Promise<ShadowReport> {
    for (let engines = 0; engines < mostEngines; engines++) {
      await (this.#replacement ??= this.#replace());
      const report = this.judge(statement, state, detailed);
      if (report) return report;
    }
    this.#breakers.add(statement);
    return { ...emptyReport, outcome: 'cutOff' };
  }

  /** The state of the schema behind a statement that SQLite took. */
  after(statement: string, state: SchemaState): SchemaState {
    const change = schemaChangeOf(statement);
    if (!change || this.#disposed) return state;
    return changed(state, this.#changeOf(change, statement, state));
  }

  /** The state behind a statement that SQLite did not take. What it was going to make is what others are going to use. */
  afterFailure(statement: string, state: SchemaState): SchemaState {
    const change = schemaChangeOf(statement);
    if (change?.kind !== 'create' || this.#disposed) return state;
    const { kind } = change.definition;
    if (kind === 'index' || kind === 'trigger') return state;
    return changed(state, creation(this.#same({ ...placed(change, state), isUncertain: true }), state));
  }

  dispose(): void {
    this.#disposed = true;
    this.#reports.clear();
    this.#detailedReports.clear();
    this.#alterations.clear();
    this.#definitions.clear();
  }

  #changeOf(change: SchemaChange, statement: string, state: SchemaState): DefinitionChange {
    switch (change.kind) {
      case 'create': {
        const definition = this.#withColumns(placed(change, state), state);
        return creation(this.#same(definition), state);
      }
      case 'drop':
        return removal(change, state);
      case 'alter':
        return alteration(this.#alteration(statement, change.name, state), state);
      case 'analyze':
        return analysis(change, state);
    }
  }

  /** CREATE TABLE … AS with the columns of its query in the place of the query. To run it would be to run that. */
  #withColumns(definition: Definition, state: SchemaState): Definition {
    const fromQuery = tableFromQuery(definition.sql);
    if (!fromQuery) return definition;
    const connection = this.#engine.arranged(state.around(mentionedNames(fromQuery.query)));
    const prepared = connection.prepare(fromQuery.query, true);
    if (prepared.kind !== 'prepared') return { ...definition, isUncertain: true };
    return { ...definition, sql: fromQuery.head + columnDefinitions(prepared.columns) };
  }

  #same(definition: Definition): Definition {
    const key = `${definition.isUncertain ? 'uncertain ' : ''}${definition.database} ${definition.sql}`;
    const known = this.#definitions.get(key);
    if (!known) this.#definitions.set(key, definition);
    return known ?? definition;
  }

  #alteration(statement: string, table: string, state: SchemaState): DefinitionChange {
    const surroundings = alterable(state, table);
    const { definitions } = surroundings;
    const known = valueFor(this.#alterations.get(statement), definitions);
    if (known) return known;
    const value = this.#engine.alteration(statement, surroundings);
    this.#alterations.set(statement, { definitions, value });
    return value;
  }

  get #isBroken(): boolean {
    return this.#engine.isBroken;
  }

  #engineOn(connection: SqliteConnection): ShadowEngine {
    return new ShadowEngine(connection, this.#options.functions ?? [], this.#breakers);
  }

  async #replace(): Promise<void> {
    try {
      if (this.#isBroken && !this.#disposed) this.#engine = this.#engineOn(await connectionFor(this.#options));
    } finally {
      this.#replacement = undefined;
    }
  }
}

async function connectionFor({ wasmBinary, clock = systemClock }: ShadowOptions): Promise<SqliteConnection> {
  return SqliteConnection.open(wasmBinary, clock);
}

function changed(state: SchemaState, change: DefinitionChange): SchemaState {
  return change.removed.length + change.added.length === 0 ? state : state.with(change);
}

function valueFor<T>(known: Known<T> | undefined, definitions: readonly Definition[]): T | undefined {
  const holds =
    known?.definitions.length === definitions.length &&
    definitions.every((definition, index) => definition === known.definitions[index]);
  return holds ? known?.value : undefined;
}
