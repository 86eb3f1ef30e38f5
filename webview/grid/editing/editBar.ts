import { t } from '@vscode/l10n';
import type { ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { formatCount } from '../../ui/counts.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { visibleText } from '../../ui/visibleText.ts';
import { nextProblemKeys, previousProblemKeys } from './editCommands.ts';

type EditAction = 'saveEdits' | 'checkOutcome' | 'reviewEdits' | 'discardEdits';

interface EditBarOptions {
  readonly run: (action: EditAction) => void;
  readonly goToProblem: (backwards: boolean) => void;
  readonly passFocus: () => void;
}

/** The line that counts and saves the pending edits of a table. Shown while there are any. */
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
  /** The problem of the active cell. Screen readers read it at the cell. */
  readonly #cellProblem = element('p', 'problem cell-problem');

  constructor(options: EditBarOptions) {
    this.#options = options;
    const { run, goToProblem } = options;
    this.#check = createPlainButton(t('Check Outcome'), () => run('checkOutcome'));
    this.#save = createPlainButton(t('Save Changes'), () => run('saveEdits'));
    this.#buttons = [
      this.#check,
      this.#save,
      createPlainButton(t('Review Changes'), () => run('reviewEdits')),
      createPlainButton(t('Discard Changes'), () => run('discardEdits')),
    ];
    this.#steps = [
      createIconButton({
        label: t('Previous Problem'),
        sign: '↑',
        keys: previousProblemKeys,
        onClick: () => goToProblem(true),
      }),
      createIconButton({
        label: t('Next Problem'),
        sign: '↓',
        keys: nextProblemKeys,
        onClick: () => goToProblem(false),
      }),
    ];
    this.root.setAttribute('role', 'group');
    this.root.setAttribute('aria-label', t('Pending edits'));
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
    const { passFocus } = this.#options;
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
    setText(this.#problemCount, problemsText(problems));
    for (const button of this.#steps) button.hidden = problems === 0;
    if (problems === 0) this.showCellProblem(undefined);
    if (isSaving) return setText(this.#counts, t('Saving…'));
    const texts: string[] = [];
    if (isUnknown) texts.push(t('Outcome unknown'));
    if (updated > 0) texts.push(updated === 1 ? t('1 row updated') : t('{0} rows updated', formatCount(updated)));
    if (deleted > 0) texts.push(deleted === 1 ? t('1 row deleted') : t('{0} rows deleted', formatCount(deleted)));
    if (inserted > 0) texts.push(inserted === 1 ? t('1 row added') : t('{0} rows added', formatCount(inserted)));
    setText(this.#counts, texts.join(' · '));
  }

  showCellProblem(text: string | undefined): void {
    setText(this.#cellProblem, text ?? '');
  }
}

function problemsText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? t('1 problem') : t('{0} problems', formatCount(count));
}
