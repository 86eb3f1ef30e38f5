import { ProjectError } from '../../../src/base/errors.ts';
import { isJsonContainer } from '../../../src/base/jsonText.ts';
import type { EditingView } from '../../../src/protocol/editing.ts';
import type { EditValue, TypedKind } from '../../../src/protocol/editValues.ts';
import { type EditingLabels, fill } from '../../../src/protocol/labels.ts';
import type { CellRange } from '../../../src/protocol/rowQueries.ts';
import { textOf } from '../../../src/protocol/shownValues.ts';
import { isBlobType } from '../../../src/wire/values.ts';
import type { MenuItem } from '../../ui/menu.ts';
import type { Shortcut } from '../../ui/shortcut.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { GridView } from '../gridView.ts';
import type { HostCalls } from '../hostCalls.ts';
import { activeCellId, problemAt } from '../rows/gridRow.ts';
import type { RowCache } from '../rows/rowCache.ts';
import type { Selection } from '../selection/selection.ts';
import { isBase64 } from '../values/blob.ts';
import { CellEditor, type NextCell } from './cellEditor.ts';

/** As in VS Code's editors. */
export const nextProblemKeys: Shortcut = 'F8';
export const previousProblemKeys: Shortcut = 'Shift+F8';

interface EditCommandsOptions {
  readonly labels: EditingLabels;
  /** The element that holds the grid. */
  readonly parent: HTMLElement;
  readonly view: GridView;
  readonly layout: ColumnLayout;
  readonly selection: Selection;
  readonly cache: RowCache;
  readonly calls: HostCalls;
  readonly onFailed: (thrown: unknown) => void;
  readonly restoreFocus: () => void;
}

/** Edits the selected cells and rows of a browsed table. */
export class EditCommands {
  readonly #options: EditCommandsOptions;
  #editing: EditingView | undefined;
  #editor: CellEditor | undefined;
  /** Counts the editors, so that one which waits for its value does not replace a later one. */
  #openings = 0;

  constructor(options: EditCommandsOptions) {
    this.#options = options;
    const { root } = options.view;
    root.addEventListener('paste', event => {
      const text = event.clipboardData?.getData('text/plain');
      if (!this.#editing || text === undefined || text === '') return;
      event.preventDefault();
      this.#paste(text);
    });
    // Scrolling takes the typed text, so that it is not lost.
    root.addEventListener('scroll', () => this.#editor?.finish(), { passive: true });
  }

  /** Whether the rows are those of a table, whose cells can be edited unless there is a reason against it. */
  get isOffered(): boolean {
    return this.#editing !== undefined;
  }

  get isEditable(): boolean {
    return this.#editing !== undefined && this.#editing.readOnly === undefined;
  }

  show(editing: EditingView | undefined): void {
    this.#editing = editing;
    this.#options.view.setEditable(this.isEditable);
  }

  /** Opens the active cell for editing. `typed` is a character that the user began to type. */
  async edit(typed?: string): Promise<void> {
    if (!this.#require()) return;
    const { labels, parent, view, selection, layout, cache, onFailed } = this.#options;
    const { row, position } = selection.active;
    const column = layout.columnAt(position);
    const opening = ++this.#openings;
    try {
      const shown = cache.get(row)?.[column];
      // A typed text replaces the value, whatever that is. Waiting for the value would lose what is typed next.
      const { text, kind } =
        typed === undefined ? await this.#valueOf(row, column) : { text: shown ? textOf(shown) : '', kind: undefined };
      if (opening !== this.#openings) return;
      const cell = document.getElementById(activeCellId);
      if (!cell || selection.active.row !== row) return;
      this.#editor?.cancel();
      const editor = new CellEditor({
        labels,
        column: visibleText(view.columns[column]?.name ?? ''),
        text,
        isNull: shown?.kind === 'null',
        kind,
        typedText: typed,
        isJson: /json/i.test(view.columns[column]?.type ?? '') || (typed === undefined && isJsonContainer(text)),
        problem: this.activeProblem,
        commit: (value, chosenKind, toAll) =>
          this.#options.calls.editCell({
            row,
            column,
            text: value,
            ...(chosenKind && { kind: chosenKind }),
            ...(toAll && { ranges: this.#ranges() }),
          }),
        save: () => this.#run(() => this.#options.calls.saveEdits()),
        onClose: next => this.#onClosed(editor, next),
      });
      this.#editor = editor;
      parent.append(editor.root);
      editor.open(cell.getBoundingClientRect(), view.root.getBoundingClientRect());
    } catch (thrown) {
      onFailed(thrown);
    }
  }

  /** Opens the active cell for editing. Returns false if its table does not allow that. */
  open(): boolean {
    if (!this.isEditable) return false;
    void this.edit();
    return true;
  }

  setNull(): void {
    this.#setCells({ kind: 'null' });
  }

  setEmpty(): void {
    this.#setCells({ kind: 'text', text: '' });
  }

  setDefault(): void {
    this.#setCells({ kind: 'default' });
  }

  fillDown(): void {
    this.#run(async () => this.#report(await this.#options.calls.fillDown(this.#ranges())));
  }

  revert(): void {
    this.#run(() => this.#options.calls.revertCells(this.#ranges()));
  }

  addRow(): void {
    this.#run(() => this.#options.calls.addRow());
  }

  duplicateRows(): void {
    this.#run(() => this.#options.calls.duplicateRows(this.#ranges()));
  }

  deleteRows(): void {
    this.#run(() => this.#options.calls.deleteRows(this.#ranges()));
  }

  /** Goes to the next cell with a problem. */
  goToProblem(backwards: boolean): void {
    if (!this.hasProblems) return;
    const { calls, selection, layout } = this.#options;
    const { row, position } = selection.active;
    this.#run(() => calls.goToProblem({ row, column: layout.columnAt(position), backwards }));
  }

  get hasProblems(): boolean {
    return (this.#editing?.problems ?? 0) > 0;
  }

  /** Why the active cell or its row cannot be saved. */
  get activeProblem(): string | undefined {
    const { cache, selection, layout } = this.#options;
    const edits = cache.editsOf(selection.active.row);
    return problemAt(edits, layout.columnAt(selection.active.position)) ?? problemAt(edits, undefined);
  }

  /** The entries of a cell's menu. */
  menuItems(): MenuItem[] {
    if (!this.isEditable) return [];
    const { labels, selection, layout, view } = this.#options;
    const column = layout.columnAt(selection.active.position);
    const { canBeNull = false, defaultValue, references } = this.#editing?.columns[column] ?? {};
    return [
      {
        label: labels.edit,
        items: [
          {
            label: fill(labels.editCell, visibleText(view.columns[column]?.name ?? '')),
            keys: 'F2',
            run: () => void this.edit(),
          },
          { label: labels.setNull, keys: 'Delete', disabled: !canBeNull, run: () => this.setNull() },
          { label: labels.setEmpty, keys: 'Backspace', run: () => this.setEmpty() },
          {
            label:
              defaultValue === undefined ? labels.setDefault : `${labels.setDefault}: ${visibleText(defaultValue)}`,
            keys: 'Shift+Delete',
            run: () => this.setDefault(),
          },
          { label: labels.loadFile, keys: 'Mod+O', run: () => this.loadFile() },
          ...(references === undefined
            ? []
            : [
                {
                  label: fill(labels.pickReference, visibleText(references)),
                  keys: 'F4' as const,
                  run: () => this.pickReference(),
                },
              ]),
          'line',
          { label: labels.fillDown, keys: 'Mod+D', run: () => this.fillDown() },
          { label: labels.revertCells, run: () => this.revert() },
          ...(this.hasProblems
            ? [
                'line' as const,
                { label: labels.nextProblem, keys: nextProblemKeys, run: () => this.goToProblem(false) },
                { label: labels.previousProblem, keys: previousProblemKeys, run: () => this.goToProblem(true) },
              ]
            : []),
        ],
      },
      { label: labels.addRow, keys: 'Insert', run: () => this.addRow() },
      { label: labels.duplicateRows, keys: 'Mod+Shift+D', run: () => this.duplicateRows() },
      { label: labels.deleteRows, keys: 'Mod+Delete', run: () => this.deleteRows() },
      'line',
    ];
  }

  loadFile(): void {
    const { calls, selection, layout, restoreFocus } = this.#options;
    const { row, position } = selection.active;
    this.#run(async () => {
      await calls.loadFile({ row, column: layout.columnAt(position) });
      restoreFocus();
    });
  }

  pickReference(): void {
    const { calls, selection, layout, restoreFocus } = this.#options;
    const { row, position } = selection.active;
    this.#run(async () => {
      await calls.pickReference({ row, column: layout.columnAt(position) });
      restoreFocus();
    });
  }

  #paste(text: string): void {
    const { calls, selection, layout } = this.#options;
    const [range] = this.#ranges();
    const row = range?.firstRow ?? selection.active.row;
    const first = range ? (layout.positionOf(range.columns[0]!) ?? 0) : selection.active.position;
    this.#run(() => calls.pasteCells({ row, columns: layout.shown.slice(first), ranges: this.#ranges(), text }));
  }

  #setCells(value: EditValue): void {
    this.#run(async () => this.#report(await this.#options.calls.setCells(this.#ranges(), value)));
  }

  /** The text that an editor begins with, and its storage class if the column's type does not determine it. NULL has no text. */
  async #valueOf(
    row: number,
    column: number,
  ): Promise<{ readonly text: string; readonly kind: TypedKind | undefined }> {
    const { cache, calls, view } = this.#options;
    const shown = cache.get(row)?.[column];
    // The service sends a BLOB as base64, in columns of any type.
    const mayBeBlob =
      shown?.kind === 'text' && shown.text !== '' && isBase64(shown.text, shown.length ?? shown.text.length);
    if (mayBeBlob) {
      const value = await calls.editedValue({ row, column });
      if (value.kind === 'blob') return { text: `x'${value.hex}'`, kind: 'blob' };
      const isForBlobs = isBlobType(view.columns[column]?.type ?? '');
      if (value.kind === 'text') return { text: value.text, kind: isForBlobs ? 'text' : undefined };
    }
    const maxLength = 100_000_000;
    const isWhole = shown !== undefined && shown.length === undefined;
    const value = isWhole ? shown : await calls.cell({ row, column, maxLength }, new AbortController().signal);
    return { text: textOf(value), kind: undefined };
  }

  #onClosed(editor: CellEditor, next: NextCell | undefined): void {
    const { selection, view, layout, restoreFocus } = this.#options;
    if (this.#editor === editor) this.#editor = undefined;
    if (next === undefined) return;
    const { row, position } = selection.active;
    const target = {
      row: next === 'below' ? Math.min(row + 1, view.rowCount - 1) : row,
      position: Math.max(
        0,
        Math.min(layout.shown.length - 1, position + (next === 'right' ? 1 : next === 'left' ? -1 : 0)),
      ),
    };
    if (next !== 'same') {
      selection.start(target);
      view.reveal(target);
    }
    restoreFocus();
  }

  #ranges(): CellRange[] {
    const { selection, view, layout } = this.#options;
    return [...selection.ranges(view.rowCount, layout.shown)];
  }

  #report(problem: string | null): void {
    if (problem !== null) this.#options.onFailed(refusal(problem));
  }

  #run(work: () => Promise<unknown>): void {
    if (!this.#require()) return;
    work().catch(this.#options.onFailed);
  }

  /** Says why nothing can be edited, if that is so. */
  #require(): boolean {
    const reason = this.#editing?.readOnly;
    if (reason !== undefined) this.#options.onFailed(refusal(reason));
    return this.isEditable;
  }
}

/** The alert of the page shows messages of the host only. */
const refusal = (message: string): ProjectError => new ProjectError('service', 'refused', message);
