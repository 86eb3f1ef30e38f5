import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { asCount, asString, type Infer, object } from '../../base/decode.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { embeddingLanguages } from '../../sql/embedded/embeddingLanguages.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import type { ResultColumns } from '../../protocol/languageBridge.ts';
import { commandId, settings } from '../names.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import type { ProjectSchemas } from '../language/projectSchemas.ts';
import { columnsNote } from './columnsNote.ts';
import type { DocumentStatements } from './documentStatements.ts';
import type { RunnableDocuments } from './runnableDocuments.ts';

/** The statement of a lens: the one with this text nearest to the offset, since edits may have moved it. */
export const decodeLensTarget = object({ uri: asString, start: asCount, sql: asString });

/** The columns of a statement, by its start. Undefined if they are not known. */
export type FindColumns = (document: vscode.TextDocument, start: vscode.Position) => Promise<ResultColumns | undefined>;

/** VS Code shows a lens when it is resolved. After this time, it is shown without the columns. */
const maxWaitMs = 100;
/** VS Code drops clicks while it replaces lenses, so wait until the user has read them. */
const refreshMs = 1000;
/** More lenses than a screen has. */
const maxIncomplete = 100;

/** Holds the statement until VS Code asks for the lens's command. */
class RunLens extends vscode.CodeLens {
  readonly document: vscode.TextDocument;
  readonly statement: TextRange;

  constructor(document: vscode.TextDocument, statement: TextRange) {
    const position = document.positionAt(statement.start);
    super(new vscode.Range(position, position));
    this.document = document;
    this.statement = statement;
  }
}

/** "Run" above each statement of the documents that belong to a project. */
export class RunLenses extends DisposableStore implements vscode.CodeLensProvider<RunLens> {
  readonly #statements: DocumentStatements;
  readonly #runnable: RunnableDocuments;
  readonly #findColumns: FindColumns;
  readonly #changes = this.add(new vscode.EventEmitter<void>());
  readonly #refresh = this.add(new Debouncer({ delayMs: refreshMs, run: () => this.#changes.fire() }));
  /** The lenses that were shown without columns. */
  readonly #incomplete = new Set<RunLens>();
  #hasRefreshed = false;

  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor(
    statements: DocumentStatements,
    runnable: RunnableDocuments,
    schemas: Pick<ProjectSchemas, 'onDidChange'>,
    findColumns: FindColumns,
  ) {
    super();
    this.#statements = statements;
    this.#runnable = runnable;
    this.#findColumns = findColumns;
    // Keep the lenses of a new document: VS Code drops clicks while it replaces them.
    this.add(
      runnable.onDidChange(({ isNew }) => {
        if (!isNew) this.#changes.fire();
      }),
    );
    this.add(onSettingChange([settings.runLens, settings.statementEnd], () => this.#changes.fire()));
    // A schema may show columns that were not known.
    this.add(schemas.onDidChange(() => this.#askAgain()));
    this.add(vscode.languages.registerCodeLensProvider(['sql', ...embeddingLanguages], this));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<RunLens[]> {
    const isEnabled = vscode.workspace.getConfiguration(undefined, document).get(settings.runLens, true);
    if (!isEnabled || !(await this.#runnable.check(document))) return [];
    const statements = await this.#statements.load(document);
    this.#forgetIncomplete(document);
    return statements.statements().map(statement => new RunLens(document, statement));
  }

  async resolveCodeLens(lens: RunLens): Promise<RunLens> {
    const { document, statement } = lens;
    const { start, end } = statement;
    const target: Infer<typeof decodeLensTarget> = {
      uri: document.uri.toString(),
      start,
      sql: this.#statements.for(document).slice(start, end),
    };
    const columns = await this.#columnsOf(lens);
    const runStatement = vscode.l10n.t('Run Statement');
    lens.command = {
      command: commandId('runStatement'),
      title: `$(play) ${vscode.l10n.t('Run')}`,
      tooltip: columns ? `${runStatement}\n${columnsNote(columns)}` : runStatement,
      arguments: [target],
    };
    return lens;
  }

  #forgetIncomplete(document: vscode.TextDocument): void {
    for (const lens of this.#incomplete) {
      if (lens.document === document || lens.document.isClosed) this.#incomplete.delete(lens);
    }
  }

  async #columnsOf(lens: RunLens): Promise<ResultColumns | undefined> {
    const finding = this.#findColumns(lens.document, lens.range.start);
    const columns = await Promise.race([finding, delay(maxWaitMs, undefined, { ref: false })]);
    if (columns) return columns;
    if (this.#incomplete.size < maxIncomplete) this.#incomplete.add(lens);
    void this.#refreshWhenKnown(finding);
    return undefined;
  }

  /** Replaces the lenses when their columns are known. Only once, because a busy server may be late again. */
  async #refreshWhenKnown(finding: Promise<ResultColumns | undefined>): Promise<void> {
    if (!(await finding) || this.#hasRefreshed) return;
    this.#hasRefreshed = true;
    this.#refresh.schedule();
  }

  #askAgain(): void {
    const lenses = [...this.#incomplete].filter(({ document }) => !document.isClosed);
    this.#incomplete.clear();
    this.#hasRefreshed = false;
    for (const { document, range } of lenses) {
      void this.#refreshWhenKnown(this.#findColumns(document, range.start));
    }
  }
}
