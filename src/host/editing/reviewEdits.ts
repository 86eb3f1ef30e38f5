import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { SaveStep } from '../../model/editing/saveSteps.ts';
import { withRowsOnLines } from '../../model/editing/editJson.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { CellProblem } from '../../model/editing/cellProblems.ts';
import type { TableEditing } from '../../model/editing/tableEditing.ts';
import { schemes } from '../names.ts';
import { rowName } from './editText.ts';
import { problemText } from './problemText.ts';
import { countsOfSteps, countsText } from './savePrompts.ts';
import type { TableDocument } from './tableDocument.ts';

const maxProblemLength = 500;

/** Read-only documents with the statements that a save will send. */
export class EditReviews implements vscode.TextDocumentContentProvider, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #texts = new Map<string, string>();

  readonly onDidChange = this.#changes.event;

  constructor() {
    this.#owned.add(vscode.workspace.registerTextDocumentContentProvider(schemes.review, this));
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === schemes.review) this.#texts.delete(uri.toString());
      }),
    );
  }

  /** Shows the statements beside the table. A review that is open already is brought up to date. */
  async show(document: TableDocument): Promise<void> {
    const text = await reviewText(document);
    const name = vscode.l10n.t('Review of {0}', document.table.name);
    const uri = document.uri.with({ scheme: schemes.review, path: `/${name.replaceAll('/', '\u2215')}.sql` });
    this.#texts.set(uri.toString(), text);
    this.#changes.fire(uri);
    const opened = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(opened, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? `-- ${vscode.l10n.t('Choose Review Changes in the table again.')}\n`;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

export async function reviewText({ editing, unfinishedSave, problem, problems }: TableDocument): Promise<string> {
  const steps = unfinishedSave
    ? unfinishedSave.filter(({ state }) => state !== 'done').map(({ step }) => step)
    : await editing.steps();
  if (steps.length === 0) return comment(vscode.l10n.t('There is nothing to save.'));
  const intro = [
    ...(problem === undefined ? [] : [problem, '']),
    ...problemLines(editing, problems.all),
    countsText(editing.edits.counts),
    steps.length === 1
      ? vscode.l10n.t('The save sends one statement. It changes all of its rows or none.')
      : vscode.l10n.t(
          'The save sends several statements ({0}), one after another. Each changes all of its rows or none. It stops at the first that fails; what was saved before it stays.',
          steps.length,
        ),
    ...(editing.comparesStarts
      ? [vscode.l10n.t('Values that are too long to be sent again are compared by their type, length and start.')]
      : []),
    ...(editing.table?.hasTriggers
      ? [
          vscode.l10n.t(
            'But the table has triggers, and a trigger can leave single rows as they are. The save then says which rows these are, and their edits stay pending.',
          ),
        ]
      : []),
  ];
  return [comment(intro.join('\n')), ...steps.map(stepText)].join('\n');
}

/** The problems with their rows and columns, and an empty line after them. */
function problemLines({ edits }: TableEditing, problems: readonly CellProblem[]): string[] {
  const lines = problems.flatMap(problem => {
    const row = edits.get(problem.rowId);
    // A refused value is not an edit.
    if (!row) return [];
    const name = rowName(row, edits);
    const place = problem.column === undefined ? name : `${name} · ${problem.column}`;
    return `  ${oneLine(`${place}: ${problemText(problem)}`, maxProblemLength)}`;
  });
  if (lines.length === 0) return [];
  return [vscode.l10n.t('Problems:'), ...lines, ''];
}

function stepText(step: SaveStep, index: number): string {
  const values = step.json === '' ? '' : comment(`${vscode.l10n.t('The value of ?:')}\n${withRowsOnLines(step.json)}`);
  return `${comment(`${index + 1}. ${countsOfSteps([step])}`)}${values}${step.sql};\n`;
}

const comment = (text: string): string => `${text.replaceAll(/^/gm, '-- ')}\n`;
