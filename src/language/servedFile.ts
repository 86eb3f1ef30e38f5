import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ProjectSchema } from './projectSchema.ts';
import { SqlDocument } from './sqlDocument.ts';

/** An open file of the editor and the SQL in it. */
export class ServedFile {
  readonly #file: TextDocument;
  readonly #sql: SqlDocument;
  /** Whether a project serves the file. Undefined until the host has told. */
  isServed: boolean | undefined;

  constructor(uri: string, languageId: string, version: number, text: string) {
    this.#file = TextDocument.create(uri, languageId, version, text);
    this.#sql = new SqlDocument(this.#file, text);
  }

  get uri(): string {
    return this.#file.uri;
  }

  get version(): number {
    return this.#file.version;
  }

  /** The SQL of the file, in order. */
  get documents(): readonly SqlDocument[] {
    return [this.#sql];
  }

  /** The SQL at an offset of the file. */
  documentAt(_offset: number): SqlDocument | undefined {
    return this.#sql;
  }

  offsetAt(position: { readonly line: number; readonly character: number }): number {
    return this.#file.offsetAt(position);
  }

  useProject(project: ProjectSchema | undefined): void {
    for (const document of this.documents) document.useProject(project);
  }

  update(changes: readonly TextDocumentContentChangeEvent[], version: number): void {
    for (const change of changes) {
      const isPart = 'range' in change;
      const start = isPart ? this.#file.offsetAt(change.range.start) : 0;
      const end = isPart ? this.#file.offsetAt(change.range.end) : this.#sql.statements.length;
      TextDocument.update(this.#file, [change], version);
      this.#sql.apply({ start, end, text: change.text });
    }
  }
}
