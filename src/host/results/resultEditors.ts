import type * as vscode from 'vscode';
import type { Run } from '../../model/results/run.ts';
import type { ResultTab } from './resultTab.ts';

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
  readonly onClose: (result: ResultTab) => void;
}

/** The results that are open in editors. */
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
  }

  /** Closes an editor whose result stays open elsewhere. */
  release(editor: ResultEditorView): void {
    this.#editors.delete(editor);
    if (this.#lastFocused === editor) this.#lastFocused = undefined;
    editor.close();
  }
}
