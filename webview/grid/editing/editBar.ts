import { type EditingLabels, fill } from '../../../src/protocol/labels.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { visibleText } from '../../ui/visibleText.ts';

export interface EditBarOptions {
  readonly labels: EditingLabels;
  readonly save: () => void;
  readonly review: () => void;
  readonly discard: () => void;
  /** Called when the focused button goes away. */
  readonly passFocus: () => void;
}

/** The line that counts the pending edits of a table, and saves them. It is there while there are any. */
export class EditBar {
  readonly root = element('div', 'edit-bar');
  readonly #options: EditBarOptions;
  readonly #counts = element('span');
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #problem = element('p', 'problem');

  constructor(options: EditBarOptions) {
    this.#options = options;
    const { labels, save, review, discard } = options;
    this.#buttons = [
      createPlainButton(labels.save, save),
      createPlainButton(labels.review, review),
      createPlainButton(labels.discard, discard),
    ];
    this.#counts.setAttribute('role', 'status');
    this.#problem.setAttribute('role', 'alert');
    this.root.append(this.#counts, ...this.#buttons, this.#problem);
    this.root.hidden = true;
  }

  show(view: ResultView | null): void {
    const { labels, passFocus } = this.#options;
    const editing = view?.browsing?.editing;
    const { updated = 0, deleted = 0, inserted = 0, problem = '', isSaving = false } = editing ?? {};
    const isShown = updated + deleted + inserted > 0 || problem !== '';
    if (!isShown && this.root.contains(document.activeElement)) passFocus();
    this.root.hidden = !isShown;
    for (const button of this.#buttons) button.disabled = isSaving;
    setText(this.#problem, visibleText(problem, { keepLines: true }));
    if (isSaving) return setText(this.#counts, labels.saving);
    const texts = [
      ...counted(labels.oneUpdated, labels.updated, updated),
      ...counted(labels.oneDeleted, labels.deleted, deleted),
      ...counted(labels.oneInserted, labels.inserted, inserted),
    ];
    setText(this.#counts, texts.join(' · '));
  }
}

function counted(one: string, several: string, count: number): string[] {
  if (count === 0) return [];
  return [count === 1 ? one : fill(several, count.toLocaleString(pageLanguage()))];
}
