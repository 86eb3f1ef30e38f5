import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position, Range } from 'vscode-languageserver/node';
import type { Steps } from '../base/turns.ts';
import { type Completion, completionAfterCharacter, completionInDocument } from '../sql/completion/completion.ts';
import { Diagnosis } from '../sql/diagnosis/diagnosis.ts';
import type { Fault } from '../sql/diagnosis/fault.ts';
import type { EmbeddedSql } from '../sql/embedded/embeddedSql.ts';
import { statementOf, uncertainStatements } from '../sql/embedded/embeddedStatements.ts';
import type { Lint } from '../sql/lints/lint.ts';
import { type ParsedStatement, parseStatement } from '../sql/parser/parser.ts';
import { DocumentSchema } from '../sql/schema/documentSchema.ts';
import { Schema } from '../sql/schema/schema.ts';
import type { ShadowReport } from '../sql/shadow/shadowReport.ts';
import type { StatementEnd } from '../sql/text/splitter.ts';
import { type StatementList, type TextEdit, textDifference } from '../sql/text/statementIndex.ts';
import { TextCache } from '../sql/text/textCache.ts';
import type { TextRange } from '../sql/text/textRange.ts';
import type { ProjectSchema } from './projectSchema.ts';

/** A tree takes some fifty times the memory of its text. */
const maxCachedTreeText = 1_000_000;

/** The SQL of a file, or of a literal in a program. Offsets count from the start of the SQL. */
export class SqlDocument {
  readonly #file: TextDocument;
  readonly #diagnosis: Diagnosis;
  readonly #trees = new TextCache<ParsedStatement>(maxCachedTreeText);
  #literal: EmbeddedSql | undefined;
  /** The numbers of the statements whose findings may be wrong, because code of the program is a part of them. */
  #uncertain: ReadonlySet<number> = new Set();
  #project: ProjectSchema | undefined;
  /** Created at its first use, because it may have to read the project's schema. */
  #schema: DocumentSchema | undefined;
  /** The project whose shadow the diagnosis uses. */
  #diagnosedProject: ProjectSchema | undefined;

  constructor(file: TextDocument, text: string, literal?: EmbeddedSql, statementEnd?: StatementEnd) {
    this.#file = file;
    this.#literal = literal;
    this.#diagnosis = new Diagnosis(text, undefined, statementEnd);
  }

  get uri(): string {
    return this.#file.uri;
  }

  get version(): number {
    return this.#file.version;
  }

  /** Whether the file is SQL, and not a program with SQL in its literals. */
  get isWholeFile(): boolean {
    return this.#literal === undefined;
  }

  get text(): string {
    return this.statements.text;
  }

  get statements(): StatementList {
    return this.#diagnosis.index;
  }

  /** Undefined as long as the schema of the project is unknown. */
  get project(): ProjectSchema | undefined {
    return this.#project;
  }

  useProject(project: ProjectSchema | undefined): void {
    if (project === this.#project) return;
    this.#project = project;
    this.#schema = undefined;
  }

  /** Prepares an edit and returns the function that applies it. Until then the document stays unchanged. */
  prepare(edit: TextEdit): Steps<() => void> {
    return this.#diagnosis.prepare(edit);
  }

  updateLiteral(literal: EmbeddedSql): void {
    this.#literal = literal;
    const edit = textDifference(this.text, literal.text);
    if (edit) this.#diagnosis.apply(edit);
  }

  /** Escapes SQL for the literal at an offset. A file that is SQL needs no escapes. */
  escape(sql: string, offset: number): string {
    return this.#literal?.escape(sql, offset) ?? sql;
  }

  /** Whether a range contains code of the program. */
  hasCodeIn({ start, end }: TextRange): boolean {
    const sourceEnd = this.#literal?.sourceOffset(end) ?? end;
    return this.#literal?.programParts.some(part => part.start < sourceEnd && start < part.end) ?? false;
  }

  completionAt(offset: number): Completion {
    return completionInDocument(this.statements, this.#documentSchema, offset, this.#project?.lookupValues);
  }

  /** Undefined where the character should not open the list of proposals. */
  completionAfterCharacter(character: string, offset: number): Completion | undefined {
    const lookupValues = this.#project?.lookupValues;
    return completionAfterCharacter(character, this.statements, this.#documentSchema, offset, lookupValues);
  }

  /** Undefined if the signal is aborted. */
  async faults(signal?: AbortSignal): Promise<readonly Fault[] | undefined> {
    await this.#useShadow();
    const faults = await this.#diagnosis.faults(signal);
    if (faults && this.#literal) this.#uncertain = uncertainStatements(this.#literal, this.statements, faults);
    return faults && this.#withoutUncertain(faults);
  }

  /** The lints of the checked statements. Await {@link faults} to have all statements checked. */
  lints(): readonly Lint[] {
    return this.#withoutUncertain(this.#diagnosis.lints());
  }

  async findingsIn({ start, end }: TextRange): Promise<readonly (Fault | Lint)[]> {
    const faults = (await this.faults()) ?? [];
    return [...faults, ...this.lints()].filter(finding => finding.start <= end && start <= finding.end);
  }

  /** SQLite's report on a statement, or on another text in its place. Undefined without a schema. */
  async report(number: number, newText?: string): Promise<ShadowReport | undefined> {
    await this.#useShadow();
    return this.#diagnosis.report(number, newText);
  }

  /** The schema for a statement: the project's, changed by the DDL above the statement. */
  schemaBefore(number: number): Schema {
    return this.#documentSchema.before(number);
  }

  /** The tree of a statement, repaired if necessary. Offsets count from the start of the statement. */
  parsed(number: number): ParsedStatement {
    const { start, end } = this.statements.at(number)!;
    const text = this.statements.slice(start, end);
    const cached = this.#trees.get(text);
    if (cached) return cached;
    const parsed = parseStatement(text);
    this.#trees.set(text, parsed);
    return parsed;
  }

  /** The offset may be outside of the SQL. */
  offsetAt(position: Position): number {
    return this.#file.offsetAt(position) - this.#start;
  }

  positionAt(offset: number): Position {
    return this.#file.positionAt(this.#start + (this.#literal?.sourceOffset(offset) ?? offset));
  }

  rangeOf({ start, end }: TextRange): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) };
  }

  get #documentSchema(): DocumentSchema {
    return (this.#schema ??= new DocumentSchema(this.statements, this.#project?.schema ?? Schema.empty));
  }

  get #start(): number {
    return this.#literal?.start ?? 0;
  }

  /** Leaves out findings that may be wrong, because code of the program is a part of their statement. */
  #withoutUncertain<T extends TextRange>(findings: readonly T[]): readonly T[] {
    if (!this.#literal) return findings;
    if (this.#literal.isFragment) return [];
    return findings.filter(finding => !this.#uncertain.has(statementOf(this.statements, finding)));
  }

  async #useShadow(): Promise<void> {
    while (this.#diagnosedProject !== this.#project) {
      const project = this.#project;
      const shadow = await project?.shadow();
      // Another call may have set this schema already, and may be checking with it.
      if (project !== this.#project || project === this.#diagnosedProject) continue;
      this.#diagnosedProject = project;
      this.#diagnosis.useSchema(shadow);
    }
  }
}
