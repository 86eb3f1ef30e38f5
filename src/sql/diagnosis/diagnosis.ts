import { type Clock, systemClock } from '../../base/clock.ts';
import { doAtOnce, maxTurnMs, type Steps, visitInSteps } from '../../base/turns.ts';
import type { Lint } from '../lints/lint.ts';
import { lintStatement } from '../lints/lintStatement.ts';
import { rangeOf } from '../parser/nodeRange.ts';
import { parseValidStatement } from '../parser/parser.ts';
import { QueriedTable } from '../schema/queriedTable.ts';
import { Schema } from '../schema/schema.ts';
import { ddlStatementOf } from '../shadow/ddlStatement.ts';
import { changeDependencies } from '../shadow/schemaChange.ts';
import type { SchemaObject } from '../shadow/schemaObject.ts';
import { SchemaDifference, type SchemaState } from '../shadow/schemaState.ts';
import type { ShadowReport } from '../shadow/shadowReport.ts';
import type { ShadowSchema } from '../shadow/shadowSchema.ts';
import { firstWords } from '../shadow/statementWords.ts';
import type { SchemaTable, TableLookup } from '../tables/schemaTable.ts';
import { systemTable } from '../tables/systemTables.ts';
import { keyOf } from '../text/names.ts';
import type { StatementEnd } from '../text/splitter.ts';
import { StatementIndex, type StatementList, type TextEdit } from '../text/statementIndex.ts';
import { TextCache, detachedCopy } from '../text/textCache.ts';
import type { TextRange } from '../text/textRange.ts';
import { type Fault, meaningFaults, syntaxFaults } from './fault.ts';

/** A statement with the results of its check. It has no position, because edits above would change that. */
interface CheckedStatement {
  readonly text: string;
  syntax?: readonly Fault[];
  /** The states of the schema before and after the statement. Undefined without a schema. */
  before?: SchemaState | undefined;
  after?: SchemaState | undefined;
  faults?: readonly Fault[];
  lints?: readonly Lint[];
  /** The names on which the faults and the change of the schema depend. Undefined if they are unknown. */
  dependsOn?: ReadonlySet<string> | undefined;
}

/** The faults of an edited document. An edit costs the check of its statements, and of later ones that depend on its DDL. */
export class Diagnosis {
  readonly #index: StatementIndex;
  readonly #clock: Clock;
  /** Removed statements often come back: an open quote removes all statements after it until it is closed. */
  readonly #removedStatements = new TextCache<CheckedStatement>();
  readonly #difference = new SchemaDifference();
  #statements: CheckedStatement[];
  #shadow: ShadowSchema | undefined;
  /** The number of the first statement that may need a check. */
  #nextNumber = 0;
  /** The tables of the state that was linted last. */
  #tables: StateTables | undefined;
  #stateOfTables: SchemaState | undefined;

  constructor(text: string, clock = systemClock, statementEnd?: StatementEnd) {
    this.#index = new StatementIndex(text, statementEnd);
    this.#clock = clock;
    this.#statements = this.#index.statements().map(({ start, end }) => ({ text: text.slice(start, end) }));
  }

  get index(): StatementList {
    return this.#index;
  }

  apply(edit: TextEdit): void {
    doAtOnce(this.prepare(edit))();
  }

  /** Returns the function that applies the edit. Until then the document is unchanged, and must not be edited again. */
  *prepare(edit: TextEdit): Steps<() => void> {
    const prepared = yield* this.#index.prepare(edit);
    const { first, removedCount } = prepared.change;
    yield* visitInSteps(this.#statements.slice(first, first + removedCount), statement =>
      this.#removedStatements.set(statement.text, statement),
    );
    const shadow = this.#shadow;
    const statements: CheckedStatement[] = [];
    yield* visitInSteps(prepared.addedTexts(), view => {
      const text = detachedCopy(view);
      statements.push({ ...this.#removedStatements.get(text), text });
    });
    return () => {
      prepared.commit();
      // The findings of removed statements hold only in the schema that they were checked with.
      const added = shadow === this.#shadow ? statements : statements.map(unchecked);
      // Nothing is copied if the number of statements stays the same.
      if (added.length === removedCount)
        for (const [number, statement] of added.entries()) this.#statements[first + number] = statement;
      else
        this.#statements = this.#statements.slice(0, first).concat(added, this.#statements.slice(first + removedCount));
      this.#nextNumber = Math.min(this.#nextNumber, first);
    };
  }

  /** From now on, statements are checked in this schema. Without a schema only their syntax is checked. */
  useSchema(shadow: ShadowSchema | undefined): void {
    this.#shadow = shadow;
    this.#nextNumber = 0;
    this.#removedStatements.clear();
    for (const [number, statement] of this.#statements.entries()) this.#statements[number] = unchecked(statement);
  }

  /** The faults of the document as it is at the end: it may be edited until then. Undefined if aborted. The next call continues. */
  async faults(signal?: AbortSignal): Promise<Fault[] | undefined> {
    for (;;) {
      if (signal?.aborted) return undefined;
      await this.#checkForOneTurn();
      // An edit or another schema may have come in the meantime.
      if (this.#nextNumber >= this.#statements.length) return this.#inDocument(({ faults }) => faults);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#clock.after(0, resolve);
      await promise;
    }
  }

  /** The lints of the checked statements. Await {@link faults} to have all statements checked. */
  lints(): Lint[] {
    return this.#inDocument(({ lints }) => lints);
  }

  /** SQLite's report on a statement, or on `newText` in its place, with columns and uses. Undefined without a schema. */
  async report(number: number, newText?: string): Promise<ShadowReport | undefined> {
    await this.faults();
    const statement = this.#statements[number];
    return statement?.before && this.#shadow?.check(newText ?? statement.text, statement.before);
  }

  async #checkForOneTurn(): Promise<void> {
    const turnEnd = this.#clock.now() + maxTurnMs;
    while (this.#nextNumber < this.#statements.length) {
      const number = this.#nextNumber++;
      const statement = this.#statements[number]!;
      const before = number === 0 ? this.#shadow?.state : this.#statements[number - 1]!.after;
      if (statement.faults && (statement.before === before || this.#moveToState(statement, before))) continue;
      if (!this.#check(statement, before)) {
        // Check the statement again after the wait: the document or the schema may change in the meantime.
        this.#nextNumber = number;
        await this.#shadow?.checkInNewEngine(before!, statement.text, false);
      }
      if (this.#clock.now() >= turnEnd) return;
    }
  }

  /** Moves a checked statement to another state of the schema. Returns false if its faults may differ in that state. */
  #moveToState(statement: CheckedStatement, before: SchemaState | undefined): boolean {
    const { dependsOn, before: oldBefore } = statement;
    if (!oldBefore || !before) return false;
    // Call this before looking at `dependsOn`: the difference accumulates over the statements whose states differ.
    const changedNames = this.#difference.between(oldBefore, before);
    if (!dependsOn || !changedNames?.isDisjointFrom(dependsOn)) return false;
    const change = statement.after === oldBefore ? undefined : statement.after?.change;
    statement.before = before;
    statement.after = change ? before.with(change) : before;
    return true;
  }

  /** Returns false if the shadow's engine is broken, so that the statement cannot be checked now. */
  #check(statement: CheckedStatement, before: SchemaState | undefined): boolean {
    statement.syntax ??= syntaxFaults(statement.text);
    const hasValidSyntax = statement.syntax.length === 0;
    if (!this.#shadow || !before || !hasValidSyntax) {
      statement.before = before;
      statement.after = before && this.#shadow?.stateAfterFault(before, statement.text);
      statement.faults = statement.syntax;
      statement.lints = hasValidSyntax ? this.#lintsOf(statement.text, before) : [];
      statement.dependsOn = undefined;
      return true;
    }
    const report = this.#shadow.checkIn(before, statement.text, false);
    if (!report) return false;
    setReport(statement, before, report, this.#shadow);
    if (report.outcome === 'prepared')
      statement.faults = [...statement.faults!, ...this.#viewFaults(statement.text, before)];
    statement.lints = this.#lintsOf(statement.text, before);
    return true;
  }

  /** The faults in the query of a new view are warnings, because the missing names may be created later. */
  #viewFaults(text: string, before: SchemaState): Fault[] {
    const range = viewQuery(text);
    if (!range) return [];
    const query = text.slice(range.start, range.end);
    const report = this.#shadow?.checkIn(before, query, false);
    if (report?.outcome !== 'refused') return [];
    return meaningFaults(query, report).map(({ start, end, message, code }) => {
      return { start: range.start + start, end: range.start + end, message, code, severity: 'warning' };
    });
  }

  /** The statement must have valid syntax. */
  #lintsOf(text: string, state: SchemaState | undefined): readonly Lint[] {
    if (state !== this.#stateOfTables) {
      this.#stateOfTables = state;
      this.#tables = state && new StateTables(state);
    }
    return lintStatement({ text, parsed: parseValidStatement(text), schema: this.#tables ?? { table: systemTable } });
  }

  /** The faults or lints of all statements, with offsets of the document. */
  #inDocument<T extends TextRange>(partsOf: (statement: CheckedStatement) => readonly T[] | undefined): T[] {
    const placed: T[] = [];
    for (const [number, statement] of this.#statements.entries()) {
      const parts = partsOf(statement) ?? [];
      if (parts.length === 0) continue;
      const offset = this.#index.at(number)!.start;
      for (const part of parts) placed.push({ ...part, start: offset + part.start, end: offset + part.end });
    }
    return placed;
  }
}

/** A statement without the results that depend on the schema. */
const unchecked = ({ text, syntax }: CheckedStatement): CheckedStatement => (syntax ? { text, syntax } : { text });

function setReport(statement: CheckedStatement, before: SchemaState, report: ShadowReport, shadow: ShadowSchema): void {
  const { text, syntax = [] } = statement;
  const hasFault = report.outcome === 'refused' || report.outcome === 'limitExceeded';
  statement.before = before;
  // A statement that was not checked is assumed to succeed.
  statement.after = hasFault ? shadow.stateAfterFault(before, text) : shadow.stateAfter(before, text);
  const nameTakenSeverity = createsProjectObject(text, before, shadow.state) ? 'information' : 'error';
  statement.faults = [...syntax, ...meaningFaults(text, report, nameTakenSeverity)];
  statement.dependsOn = report.dependsOn && changeDependencies(text, report.dependsOn);
}

/** Whether a statement creates an object that the project already has, as in a document with the project's schema. */
function createsProjectObject(text: string, before: SchemaState, project: SchemaState): boolean {
  const ddl = ddlStatementOf(text);
  if (ddl?.kind !== 'create') return false;
  const { name } = ddl.object;
  const taken = before.named(name);
  return taken.length > 0 && taken.every(object => project.named(name).includes(object));
}

/** `CREATE TEMP VIEW`. */
const maxHeadWords = 3;

/** The query of a statement that creates a view. SQLite does not check its names before the view is used. */
function viewQuery(statement: string): TextRange | undefined {
  const words = firstWords(statement, maxHeadWords).map(({ key }) => key);
  if (words[0] !== 'CREATE' || !words.includes('VIEW')) return undefined;
  const { ast } = parseValidStatement(statement);
  return ast?.type === 'CreateViewStmt' ? rangeOf(ast.select) : undefined;
}

/** The tables of a state of the schema. Each is read from its statement at its first lookup. */
class StateTables implements TableLookup {
  readonly #state: SchemaState;
  /** The columns of a view depend on the state, so each state has its own views. */
  readonly #views = new Map<string, SchemaTable>();

  constructor(state: SchemaState) {
    this.#state = state;
  }

  table(name: string): SchemaTable | undefined {
    const key = keyOf(name);
    const view = this.#views.get(key);
    if (view) return view;
    const objects = this.#state.named(key).filter(({ kind }) => kind !== 'index' && kind !== 'trigger');
    // A temporary table hides the other one.
    const object = objects.find(({ database }) => database === 'temp') ?? objects[0];
    const table = object && !object.isUncertain ? tableOf(object) : undefined;
    if (!(table instanceof QueriedTable)) return table ?? systemTable(name);
    const viewInState = table.inSchema(this);
    this.#views.set(key, viewInState);
    return viewInState;
  }
}

const tables = new WeakMap<SchemaObject, { readonly table: SchemaTable | undefined }>();

function tableOf(object: SchemaObject): SchemaTable | undefined {
  const cached = tables.get(object);
  if (cached) return cached.table;
  const table = Schema.of(object.sql).table(object.name);
  tables.set(object, { table });
  return table;
}
