import { type EditingLabels, fill } from '../../../src/protocol/labels.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { ariaKeys, keyWords, type Shortcut } from '../../ui/shortcut.ts';
import { visibleText } from '../../ui/visibleText.ts';
import { nextProblemKeys, previousProblemKeys } from './editCommands.ts';

interface EditBarOptions {
  readonly labels: EditingLabels;
  readonly save: () => void;
  /** Finds out whether a save without an answer was done. */
  readonly checkOutcome: () => void;
  readonly review: () => void;
  readonly discard: () => void;
  readonly goToProblem: (backwards: boolean) => void;
  /** Called when the focused button goes away. */
  readonly passFocus: () => void;
}

/** The line that counts the pending edits of a table, and saves them. It is there while there are any. */
export class EditBar {
  readonly root = element('div', 'edit-bar');
  readonly #options: EditBarOptions;
  readonly #counts = element('span');
  readonly #check: HTMLButtonElement;
  readonly #save: HTMLButtonElement;
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #steps: readonly HTMLButtonElement[];
  readonly #problemCount = element('span', 'problem-count');
  readonly #problem = element('p', 'problem');
  /** Why the active cell cannot be saved. Screen readers read it at the cell. */
  readonly #cellProblem = element('p', 'problem cell-problem');

  constructor(options: EditBarOptions) {
    this.#options = options;
    const { labels, save, review, discard, goToProblem, checkOutcome } = options;
    this.#check = createPlainButton(labels.checkOutcome, checkOutcome);
    this.#save = createPlainButton(labels.save, save);
    this.#buttons = [
      this.#check,
      this.#save,
      createPlainButton(labels.review, review),
      createPlainButton(labels.discard, discard),
    ];
    this.#steps = [
      stepButton(labels.previousProblem, '↑', previousProblemKeys, () => goToProblem(true)),
      stepButton(labels.nextProblem, '↓', nextProblemKeys, () => goToProblem(false)),
    ];
    this.root.setAttribute('role', 'group');
    this.root.setAttribute('aria-label', labels.pendingEdits);
    this.#counts.setAttribute('role', 'status');
    this.#problemCount.setAttribute('role', 'status');
    this.#cellProblem.setAttribute('aria-hidden', 'true');
    this.#problem.setAttribute('role', 'alert');
    this.root.append(
      this.#counts,
      ...this.#buttons,
      this.#problemCount,
      ...this.#steps,
      this.#problem,
      this.#cellProblem,
    );
    this.root.hidden = true;
  }

  show(view: ResultView | null): void {
    const { labels, passFocus } = this.#options;
    const editing = view?.browsing?.editing;
    const { updated = 0, deleted = 0, inserted = 0, problem = '', problems = 0, isSaving = false } = editing ?? {};
    const isUnknown = editing?.isOutcomeUnknown === true;
    const isShown = updated + deleted + inserted + problems > 0 || problem !== '' || isUnknown;
    if (!isShown && this.root.contains(document.activeElement)) passFocus();
    this.root.hidden = !isShown;
    for (const button of this.#buttons) button.disabled = isSaving;
    const hadFocus = [this.#check, this.#save].some(button => button === document.activeElement);
    this.#check.hidden = !isUnknown;
    this.#save.hidden = isUnknown;
    if (hadFocus) (isUnknown ? this.#check : this.#save).focus();
    setText(this.#problem, visibleText(problem, { keepLines: true }));
    setText(this.#problemCount, counted(labels.oneProblem, labels.problems, problems).join(''));
    for (const button of this.#steps) button.hidden = problems === 0;
    if (problems === 0) this.showCellProblem(undefined);
    if (isSaving) return setText(this.#counts, labels.saving);
    const texts = [
      ...counted(labels.oneUpdated, labels.updated, updated),
      ...counted(labels.oneDeleted, labels.deleted, deleted),
      ...counted(labels.oneInserted, labels.inserted, inserted),
    ];
    setText(this.#counts, [...(isUnknown ? [labels.outcomeUnknown] : []), ...texts].join(' · '));
  }

  /** Shows why the active cell cannot be saved. */
  showCellProblem(text: string | undefined): void {
    setText(this.#cellProblem, text ?? '');
  }
}

function stepButton(label: string, sign: string, keys: Shortcut, onClick: () => void): HTMLButtonElement {
  const button = createIconButton({ label: `${label} (${keyWords(keys)})`, sign, onClick });
  button.setAttribute('aria-label', label);
  button.setAttribute('aria-keyshortcuts', ariaKeys(keys));
  return button;
}

function counted(one: string, several: string, count: number): string[] {
  if (count === 0) return [];
  return [count === 1 ? one : fill(several, count.toLocaleString(pageLanguage()))];
}
