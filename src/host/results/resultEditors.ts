import type * as vscode from 'vscode';
import type { Run } from '../../model/results/run.ts';
import type { KeptResult } from './keptResult.ts';
import type { KeptResults } from './keptResults.ts';
import type { ResultKeeper } from './resultActions.ts';
import { ResultEditor } from './resultEditor.ts';
import { whenEnded } from './whenEnded.ts';

export interface ResultEditorsParts {
  readonly extensionUri: vscode.Uri;
  readonly kept: KeptResults;
  readonly keeper: ResultKeeper;
  /** Takes a result over whose editor is closed. */
  readonly onClose: (result: KeptResult) => void;
}

/** The results that stand in editors, each of which outlives the window with its editor. */
export class ResultEditors {
  readonly #parts: ResultEditorsParts;
  readonly #editors = new Set<ResultEditor>();
  /** The one that had the focus after all other results. */
  #lastFocused: ResultEditor | undefined;

  constructor(parts: ResultEditorsParts) {
    this.#parts = parts;
  }

  get results(): KeptResult[] {
    return [...this.#editors].map(({ result }) => result);
  }

  get lastFocused(): ResultEditor | undefined {
    return this.#lastFocused;
  }

  /** The focus, or what is looked at, is elsewhere by now. */
  left(): void {
    this.#lastFocused = undefined;
  }

  of(run: Run): ResultEditor | undefined {
    return [...this.#editors].find(({ result }) => result.run === run);
  }

  open(result: KeptResult, panel?: vscode.WebviewPanel): void {
    const { extensionUri, keeper, onClose } = this.#parts;
    const editor = new ResultEditor(result, {
      ...{ extensionUri, keeper, panel },
      onFocus: () => (this.#lastFocused = editor),
      onClose: () => {
        this.#editors.delete(editor);
        if (this.#lastFocused === editor) this.#lastFocused = undefined;
        onClose(editor.result);
      },
    });
    this.#editors.add(editor);
    this.#keep(result);
  }

  /** Shows a statement that is run again in the place of its former result, which whoever calls lets go of. */
  async replace(editor: ResultEditor, result: KeptResult): Promise<void> {
    result.title = editor.result.title;
    await editor.show(result);
    this.#keep(result);
  }

  /** One that has not ended is listed all the same, so that the next window can say what is gone. */
  #keep(result: KeptResult): void {
    const keep = (): void => {
      // It may have been closed meanwhile, or be among the tabs.
      if (this.of(result.run)) void this.#parts.kept.keep(result, true);
    };
    if (result.isUnderWay) keep();
    whenEnded(result.run, keep);
  }
}
