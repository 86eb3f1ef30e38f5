import type * as vscode from 'vscode';
import { type Run, onceEnded } from '../../model/results/run.ts';
import type { ResultTab } from './resultTab.ts';
import type { SavedResults } from './savedResults.ts';

/** An editor shows one result. When the statement runs again, it shows the next one. */
export interface ResultEditorView {
  readonly result: ResultTab;
  show(result: ResultTab): Promise<void>;
  updateTitle(): void;
  focus(): void;
  close(): void;
}

export interface ResultEditorEvents {
  readonly onFocus: () => void;
  readonly onClose: () => void;
}

export type OpenResultEditor = (
  result: ResultTab,
  events: ResultEditorEvents,
  restoredPanel: vscode.WebviewPanel | undefined,
) => ResultEditorView;

interface ResultEditorsParts {
  readonly openEditor: OpenResultEditor;
  readonly savedResults: SavedResults;
  readonly onClose: (result: ResultTab) => void;
}

/** The results that are open in editors. Each of them is saved with its editor. */
export class ResultEditors {
  readonly #parts: ResultEditorsParts;
  readonly #editors = new Set<ResultEditorView>();
  /** The editor that had the focus last, unless another result had it since. */
  #lastFocused: ResultEditorView | undefined;

  constructor(parts: ResultEditorsParts) {
    this.#parts = parts;
  }

  get results(): ResultTab[] {
    return [...this.#editors].map(({ result }) => result);
  }

  get lastFocused(): ResultEditorView | undefined {
    return this.#lastFocused;
  }

  /** Called when the user looks at a result elsewhere. */
  forgetFocus(): void {
    this.#lastFocused = undefined;
  }

  find(run: Run): ResultEditorView | undefined {
    return [...this.#editors].find(({ result }) => result.run === run);
  }

  open(result: ResultTab, restoredPanel?: vscode.WebviewPanel): void {
    const { openEditor, onClose } = this.#parts;
    const events: ResultEditorEvents = {
      onFocus: () => (this.#lastFocused = editor),
      onClose: () => {
        if (!this.#editors.delete(editor)) return;
        if (this.#lastFocused === editor) this.#lastFocused = undefined;
        onClose(editor.result);
      },
    };
    const editor = openEditor(result, events, restoredPanel);
    this.#editors.add(editor);
    this.#save(result);
  }

  /** Closes an editor whose result stays open elsewhere. */
  release(editor: ResultEditorView): void {
    this.#editors.delete(editor);
    if (this.#lastFocused === editor) this.#lastFocused = undefined;
    editor.close();
  }

  /** Shows the next result of a statement. The caller discards the former one. */
  async replace(editor: ResultEditorView, result: ResultTab): Promise<void> {
    const { title, isRenamed } = editor.result;
    if (isRenamed) Object.assign(result, { title, isRenamed });
    await editor.show(result);
    this.#save(result);
  }

  /** Lists a running result at once, so that the next window knows of it. Saves the rows when the run has ended. */
  #save(result: ResultTab): void {
    const save = (): void => {
      // The editor may be closed now, and its result a tab again.
      if (this.find(result.run)) void this.#parts.savedResults.save(result, true);
    };
    let { arrangement } = result.run.queries;
    result.run.onChange(() => {
      if (arrangement === result.run.queries.arrangement) return;
      ({ arrangement } = result.run.queries);
      save();
    });
    if (result.isUnderWay) save();
    onceEnded(result.run, save);
  }
}
