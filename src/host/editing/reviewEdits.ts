import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { SaveStep } from '../../model/editing/draft.ts';
import { withRowsOnLines } from '../../model/editing/editJson.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { CellProblem } from '../../model/editing/cellProblems.ts';
import type { CellEdit, NamedValue, PendingRow } from '../../model/editing/pendingEdits.ts';
import { plainStatement } from '../../model/editing/plainStatement.ts';
import type { EditValue } from '../../protocol/editValues.ts';
import { schemes } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import { editText, rowName } from './editText.ts';
import { problemText } from './problemText.ts';
import { countsOfSteps, countsText } from './editPrompts.ts';
import type { TableDocument } from './tableDocument.ts';

/** Nobody reads more. All edits are in the statements of the save. */
const maxListedEdits = 2000;
const maxValueLength = 60;
const maxTextLength = 300;

type ShownCell = NamedValue<EditValue> & Partial<CellEdit>;

/** An edited cell, or without a column a row. */
export type EditPlace = Pick<CellProblem, 'rowId' | 'column'>;

interface EditItem extends vscode.QuickPickItem {
  readonly place?: EditPlace;
}

/** Lists the edits of a table, and has read-only documents with the statements that a save will send. */
export class EditReviews extends DisposableStore implements vscode.TextDocumentContentProvider {
  readonly #changes = this.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #texts = new Map<string, string>();

  readonly onDidChange = this.#changes.event;

  constructor() {
    super();
    this.add(vscode.workspace.registerTextDocumentContentProvider(schemes.review, this));
    this.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === schemes.review) this.#texts.delete(uri.toString());
      }),
    );
  }

  /** Lists the edits, and answers the chosen one. */
  async show(document: TableDocument): Promise<EditPlace | undefined> {
    await document.editing.schema();
    const details: EditItem = {
      label: vscode.l10n.t('Details'),
      description: vscode.l10n.t('The statements that the save sends'),
    };
    const chosen = await vscode.window.showQuickPick([details, ...itemsOf(document)], {
      title: vscode.l10n.t('Review of {0}', withoutIcons(document.table.name)),
      placeHolder: vscode.l10n.t('Choose an edit to go to its cell'),
      matchOnDescription: true,
    });
    if (chosen && !chosen.place) await this.showStatements(document);
    return chosen?.place;
  }

  /** Shows the statements beside the table. A review that is open already is brought up to date. */
  async showStatements(document: TableDocument): Promise<void> {
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
}

export async function reviewText({ editing, unfinishedSave, problem }: TableDocument): Promise<string> {
  const steps = unfinishedSave
    ? unfinishedSave.filter(({ state }) => state !== 'done').map(({ step }) => step)
    : await editing.steps();
  if (steps.length === 0) return comment(vscode.l10n.t('There is nothing to save.'));
  const intro = [
    ...(problem === undefined ? [] : [problem, '']),
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

/** The problems, and the edits by their kinds: each cell with its value before and after, and a statement that means the same. */
export function itemsOf({
  editing: { edits, table },
  problems,
}: Pick<TableDocument, 'editing' | 'problems'>): EditItem[] {
  const statementOf = (row: PendingRow): string =>
    table ? withoutIcons(oneLine(plainStatement(table, row), maxTextLength)) : '';
  const item = (row: PendingRow, detail: string, column?: string, change = ''): EditItem => {
    const name = rowName(row, edits);
    return {
      label: withoutIcons(oneLine(column === undefined ? name : `${name} · ${column}`)),
      description: withoutIcons(oneLine(change, maxTextLength)),
      detail,
      place: { rowId: row.id, column },
    };
  };
  const problemItems = problems.all.flatMap(problem => {
    const row = edits.get(problem.rowId);
    // A refused value is not an edit.
    return row ? [item(row, statementOf(row), problem.column, problemText(problem))] : [];
  });
  const editItems = [...Map.groupBy(edits.rows, row => row.kind)].flatMap(([kind, rows]) => {
    const items = [separator(countsText({ updated: 0, deleted: 0, inserted: 0, [countOfKind[kind]]: rows.length }))];
    for (const [index, row] of rows.entries()) {
      if (items.length > maxListedEdits) {
        items.push(separator(vscode.l10n.t('… and {0} more', rows.length - index)));
        break;
      }
      const detail = statementOf(row);
      const cells: readonly ShownCell[] = row.kind === 'insert' ? row.values : row.kind === 'update' ? row.cells : [];
      for (const { column, base, value } of cells) {
        items.push(item(row, detail, column, base ? `${shown(base)} → ${shown(value)}` : shown(value)));
      }
      if (cells.length === 0) items.push(item(row, detail));
    }
    return items;
  });
  return [...(problemItems.length > 0 ? [separator(vscode.l10n.t('Problems'))] : []), ...problemItems, ...editItems];
}

const shown = (value: EditValue): string => editText(value, maxValueLength);
const separator = (label: string): EditItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
const countOfKind = { update: 'updated', delete: 'deleted', insert: 'inserted' } as const;

function stepText(step: SaveStep, index: number): string {
  const values = step.json === '' ? '' : comment(`${vscode.l10n.t('The value of ?:')}\n${withRowsOnLines(step.json)}`);
  return `${comment(`${index + 1}. ${countsOfSteps([step], false)}`)}${values}${step.sql};\n`;
}

const comment = (text: string): string => `${text.replaceAll(/^/gm, '-- ')}\n`;
