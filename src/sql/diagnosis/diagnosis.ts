import { type Clock, systemClock } from '../../base/clock.ts';
import type { Fault } from './fault.ts';
import { meaningFaults } from './meaningFaults.ts';
import { syntaxFaults } from './syntaxFaults.ts';
import { changeDependsOn } from '../shadow/definitionChange.ts';
import { SchemaDifference } from '../shadow/schemaDifference.ts';
import type { SchemaState } from '../shadow/schemaState.ts';
import type { ShadowReport } from '../shadow/shadowReport.ts';
import type { ShadowSchema } from '../shadow/shadowSchema.ts';
import { type StatementChange, StatementIndex, type StatementList, type TextEdit } from '../text/statementIndex.ts';
import { TextMemory } from '../text/textMemory.ts';

/** A statement and what was found out about it. Nothing in it says where it stands, so that it may move. */
interface Judged {
  readonly text: string;
  syntax?: readonly Fault[];
  /** The schema that it was judged in and the one it leaves, when there was one. */
  before?: SchemaState | undefined;
  after?: SchemaState | undefined;
  faults?: readonly Fault[];
  /** The names in the schema on which the faults depend. What it changes does so, too. Undefined when it is not known. */
  dependsOn?: ReadonlySet<string> | undefined;
}

/** For how many milliseconds statements are judged before others have their turn. */
const longestTurn = 25;

/**
 * What is wrong in a document that is being edited. After an edit the statements that changed are judged again, and those
 * whose part of the schema changed, when the edit was in a statement that makes a part of it.
 */
export class Diagnosis {
  readonly #index: StatementIndex;
  readonly #clock: Clock;
  /** Statements that went, in case they come back, as all do behind a quote that is closed again. */
  readonly #kept = new TextMemory<Judged>();
  readonly #difference = new SchemaDifference();
  #statements: Judged[];
  #shadow: ShadowSchema | undefined;
  /** The number of the first statement that may have to be judged. */
  #next = 0;

  constructor(text: string, clock = systemClock) {
    this.#index = new StatementIndex(text);
    this.#clock = clock;
    this.#statements = this.#index.statements().map(({ start, end }) => ({ text: text.slice(start, end) }));
  }

  /** The document's statements. They are edited through {@link apply}. */
  get index(): StatementList {
    return this.#index;
  }

  apply(edit: TextEdit): StatementChange {
    const change = this.#index.apply(edit);
    const { first, removed, added } = change;
    for (const gone of this.#statements.slice(first, first + removed)) this.#kept.set(gone.text, gone);
    const come = Array.from({ length: added }, (_, number) => this.#statementAt(first + number));
    this.#statements = this.#statements.toSpliced(first, removed, ...come);
    this.#next = Math.min(this.#next, first);
    return change;
  }

  /** From now on statements mean what they mean in this schema. Without one only their syntax is judged. */
  useSchema(shadow: ShadowSchema | undefined): void {
    this.#shadow = shadow;
    this.#next = 0;
    this.#kept.clear();
    for (const [number, { text, syntax }] of this.#statements.entries()) {
      this.#statements[number] = syntax ? { text, syntax } : { text };
    }
  }

  /**
   * What is wrong in the document as it is when this answers, although it may be edited until then. Undefined when the
   * signal was aborted; what was found out stays.
   */
  async faults(signal?: AbortSignal): Promise<Fault[] | undefined> {
    for (;;) {
      if (signal?.aborted) return undefined;
      if (await this.#judgeForATurn()) return this.#gathered();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#clock.after(0, resolve);
      await promise;
    }
  }

  /** What SQLite says of statement `number`, with its columns and all it uses. */
  async report(number: number): Promise<ShadowReport | undefined> {
    await this.faults();
    const statement = this.#statements[number];
    const shadow = this.#shadow;
    if (!shadow || !statement?.before) return undefined;
    const { text, before } = statement;
    return shadow.judge(text, before, true) ?? shadow.judgeAnew(text, before, true);
  }

  #statementAt(number: number): Judged {
    const { start, end } = this.#index.at(number)!;
    // A slice would keep the piece of the document that it was cut from, in each version that there was.
    const text = ` ${this.#index.slice(start, end)}`.slice(1);
    return { ...this.#kept.get(text), text };
  }

  /** Tells whether all are judged. */
  async #judgeForATurn(): Promise<boolean> {
    const turnEnds = this.#clock.now() + longestTurn;
    while (this.#next < this.#statements.length) {
      const number = this.#next++;
      const statement = this.#statements[number]!;
      const before = number === 0 ? this.#shadow?.state : this.#statements[number - 1]!.after;
      if (statement.faults && (statement.before === before || this.#holds(statement, before))) continue;
      if (!this.#judge(statement, before)) {
        // It is not done with: what comes meanwhile may be an edit, another schema or another question.
        this.#next = number;
        await this.#shadow?.judgeAnew(statement.text, before!, false);
      }
      if (this.#clock.now() >= turnEnds) return false;
    }
    return true;
  }

  /** Whether what is known of a statement holds in another schema as well. It is then said to be of that one. */
  #holds(statement: Judged, before: SchemaState | undefined): boolean {
    const { dependsOn, before: old } = statement;
    if (!old || !before) return false;
    // It is asked at each statement, since it goes from one to the next.
    const changed = this.#difference.between(old, before);
    if (!dependsOn || !changed?.isDisjointFrom(dependsOn)) return false;
    const change = statement.after === old ? undefined : statement.after?.change;
    Object.assign(statement, { before, after: change ? before.with(change) : before });
    return true;
  }

  /** Tells whether it could, which it cannot while the shadow's engine is broken. */
  #judge(statement: Judged, before: SchemaState | undefined): boolean {
    statement.syntax ??= syntaxFaults(statement.text);
    const isSound = statement.syntax.every(({ severity }) => severity !== 'error');
    if (!this.#shadow || !before || !isSound) {
      const after = before && this.#shadow?.afterFailure(statement.text, before);
      Object.assign(statement, { before, after, faults: statement.syntax, dependsOn: undefined });
      return true;
    }
    const report = this.#shadow.judge(statement.text, before, false);
    if (report) this.#take(statement, before, report, this.#shadow);
    return report !== undefined;
  }

  #take(statement: Judged, before: SchemaState, report: ShadowReport, shadow: ShadowSchema): void {
    const failed = report.outcome === 'refused' || report.outcome === 'cutOff';
    // What was not looked at is taken to do what it says.
    const after = failed ? shadow.afterFailure(statement.text, before) : shadow.after(statement.text, before);
    const faults = [...(statement.syntax ?? []), ...meaningFaults(statement.text, report)];
    const dependsOn = report.dependsOn && changeDependsOn(statement.text, report.dependsOn);
    Object.assign(statement, { before, after, faults, dependsOn });
  }

  #gathered(): Fault[] {
    return this.#statements.flatMap(({ faults = [] }, number) => {
      if (faults.length === 0) return [];
      const offset = this.#index.at(number)!.start;
      return faults.map(fault => ({ ...fault, start: offset + fault.start, end: offset + fault.end }));
    });
  }
}
