import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Steps } from '../base/turns.ts';
import { type EmbeddingSyntax, embeddingSyntaxOf } from '../sql/embedded/embeddingLanguages.ts';
import type { EmbeddedSql } from '../sql/embedded/embeddedSql.ts';
import { findEmbeddedSql } from '../sql/embedded/findEmbeddedSql.ts';
import type { StatementEnd } from '../sql/text/splitter.ts';
import type { ProjectSchema } from './projectSchema.ts';
import { SqlDocument } from './sqlDocument.ts';
import { StepQueue } from './turns.ts';

/** An open file. A change of several megabytes takes a while: until then the file has its old text and version. */
export class ServedFile {
  readonly #file: TextDocument;
  readonly #sql: WholeFile | FileLiterals;
  readonly #changes = new StepQueue();
  /** Whether the file has a project. Undefined until the host has answered. */
  isServed: boolean | undefined;
  /** Undefined as long as the schema of the project is unknown. */
  project: ProjectSchema | undefined;

  constructor(uri: string, languageId: string, version: number, text: string) {
    const syntax = embeddingSyntaxOf(languageId);
    this.#file = TextDocument.create(uri, languageId, version, syntax ? text : '');
    this.#sql = syntax ? new FileLiterals(this.#file, syntax) : new WholeFile(this.#file);
    if (!syntax) this.update([{ text }], version);
  }

  /** Resolves when the received changes are applied. Undefined if they are applied already. */
  get pendingChanges(): Promise<void> | undefined {
    return this.#changes.end;
  }

  get uri(): string {
    return this.#file.uri;
  }

  get version(): number {
    return this.#file.version;
  }

  get documents(): readonly SqlDocument[] {
    const { documents } = this.#sql;
    for (const document of documents) document.useProject(this.project);
    return documents;
  }

  documentAt(offset: number): SqlDocument | undefined {
    const document = this.#sql.documentAt(offset);
    document?.useProject(this.project);
    return document;
  }

  offsetAt(position: { readonly line: number; readonly character: number }): number {
    return this.#file.offsetAt(position);
  }

  update(changes: readonly TextDocumentContentChangeEvent[], version: number): void {
    for (const change of changes) {
      if (this.#sql instanceof FileLiterals) this.#sql.update(change, version);
      else this.#changes.add(this.#sql.update(change, version));
    }
  }

  /** The SQL in the literals of a program keeps its semicolons. */
  endStatementsAt(statementEnd: StatementEnd): void {
    if (this.#sql instanceof WholeFile) this.#changes.add(this.#sql.endStatementsAt(statementEnd));
  }

  close(): void {
    this.#changes.clear();
  }
}

/** A file that is SQL. */
class WholeFile {
  readonly #file: TextDocument;
  documents: readonly [SqlDocument];

  constructor(file: TextDocument) {
    this.#file = file;
    this.documents = [new SqlDocument(file, file.getText())];
  }

  documentAt(): SqlDocument {
    return this.documents[0];
  }

  *endStatementsAt(statementEnd: StatementEnd): Steps<void> {
    const [{ text, statements }] = this.documents;
    if (statements.statementEnd === statementEnd) return;
    yield;
    this.documents = [new SqlDocument(this.#file, text, undefined, statementEnd)];
  }

  *update(change: TextDocumentContentChangeEvent, version: number): Steps<void> {
    const [sql] = this.documents;
    const isPart = 'range' in change;
    const start = isPart ? this.#file.offsetAt(change.range.start) : 0;
    const end = isPart ? this.#file.offsetAt(change.range.end) : sql.statements.length;
    const commit = yield* sql.prepare({ start, end, text: change.text });
    TextDocument.update(this.#file, [change], version);
    commit();
  }
}

interface Literal {
  readonly sql: EmbeddedSql;
  readonly document: SqlDocument;
}

/** The SQL literals of a program. After an edit, the next use searches them again. */
class FileLiterals {
  readonly #file: TextDocument;
  readonly #syntax: EmbeddingSyntax;
  #lastLiterals: readonly Literal[] = [];
  #isCurrent = false;

  constructor(file: TextDocument, syntax: EmbeddingSyntax) {
    this.#file = file;
    this.#syntax = syntax;
  }

  get documents(): readonly SqlDocument[] {
    return this.#literals.map(({ document }) => document);
  }

  documentAt(offset: number): SqlDocument | undefined {
    return this.#literals.find(({ sql }) => sql.start <= offset && offset <= sql.end && sql.isSqlAt(offset - sql.start))
      ?.document;
  }

  update(change: TextDocumentContentChangeEvent, version: number): void {
    TextDocument.update(this.#file, [change], version);
    this.#isCurrent = false;
  }

  get #literals(): readonly Literal[] {
    if (!this.#isCurrent) {
      this.#lastLiterals = this.#withDocuments(findEmbeddedSql(this.#file.getText(), this.#syntax));
      this.#isCurrent = true;
    }
    return this.#lastLiterals;
  }

  /** Pairs the literals with those before the edit, from both ends. So documents of unchanged literals keep their caches. */
  #withDocuments(literals: readonly EmbeddedSql[]): readonly Literal[] {
    const before = this.#lastLiterals;
    const most = Math.min(before.length, literals.length);
    let fromEnd = 0;
    while (fromEnd < most && before.at(-1 - fromEnd)!.sql.text === literals.at(-1 - fromEnd)!.text) fromEnd++;
    return literals.map((sql, index) => {
      const old = index < literals.length - fromEnd ? index : index + before.length - literals.length;
      const isPaired = index >= literals.length - fromEnd || index < before.length - fromEnd;
      const document = isPaired ? before[old]!.document : new SqlDocument(this.#file, sql.text, sql);
      document.updateLiteral(sql);
      return { sql, document };
    });
  }
}
