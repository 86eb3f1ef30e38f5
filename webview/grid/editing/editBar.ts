import { t } from '@vscode/l10n';
import type { EditingView } from '../../../src/protocol/browsing.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import { editCountTexts } from '../../../src/protocol/editCounts.ts';
import { formatCount } from '../../ui/counts.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createPlainButton, showKeys } from '../../ui/iconButton.ts';
import { visibleText } from '../../ui/visibleText.ts';
import { nextProblemKeys } from './editCommands.ts';

type EditAction = 'saveEdits' | 'checkOutcome' | 'reviewEdits' | 'discardEdits';

interface EditBarOptions {
  readonly run: (action: EditAction) => void;
  readonly goToNextProblem: () => void;
  readonly passFocus: () => void;
  /** Called when the last problem is gone. */
  readonly onSolved: () => void;
}

/** The part of the line below the rows that counts and saves the pending edits of a table, and its messages. */
export class EditBar {
  /** After a save, the number of its rows. */
  readonly done = element('span', '', { role: 'status' });
  readonly root = element('span', 'edit-bar', { role: 'group', 'aria-label': t('Pending edits'), hidden: '' });
  readonly #options: EditBarOptions;
  readonly #counts = element('span', '', { role: 'status' });
  readonly #check: HTMLButtonElement;
  readonly #save: HTMLButtonElement;
  readonly #buttons: readonly HTMLButtonElement[];
  /** Counts the problems, and goes from one to the next. */
  readonly #problems: HTMLButtonElement;
  readonly #problem = element('p', 'failure', { role: 'alert' });
  /** The problem of the active cell. Screen readers read it at the cell. */
  readonly #cellProblem = element('p', 'failure', { 'aria-hidden': 'true' });
  readonly messages = [this.#problem, this.#cellProblem] as const;
  #editing: EditingView | undefined;
  #savedText = '';

  constructor(options: EditBarOptions) {
    this.#options = options;
    const { run, goToNextProblem } = options;
    this.#problems = createPlainButton('', goToNextProblem);
    this.#check = createPlainButton(t('Check Outcome'), () => run('checkOutcome'));
    this.#save = createPlainButton(t('Save Changes'), () => run('saveEdits'));
    this.#buttons = [
      this.#check,
      this.#save,
      createPlainButton(t('Review Changes'), () => run('reviewEdits')),
      createPlainButton(t('Discard Changes'), () => run('discardEdits')),
    ];
    showKeys(this.#problems, t('Next Problem'), nextProblemKeys);
    this.root.append(this.#counts, ...this.#buttons, this.#problems);
  }

  show(view: ResultView | null): void {
    const { passFocus, onSolved } = this.#options;
    const previous = this.#editing;
    const editing = view?.browsing?.editing;
    this.#editing = editing;
    const { updated = 0, deleted = 0, inserted = 0, problem = '', problems = 0, isSaving = false } = editing ?? {};
    const counts = { updated, deleted, inserted };
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
    if (problems === 0 && this.#problems === document.activeElement) passFocus();
    setText(this.#problems, problemsText(problems));
    this.#problems.hidden = problems === 0;
    if (problems === 0) this.showCellProblem(undefined);
    if (problems === 0 && (previous?.problems ?? 0) > 0) onSolved();
    const texts = [...(isUnknown ? [t('Outcome unknown')] : []), ...editCountTexts(counts, pageLanguage())];
    setText(this.#counts, isSaving ? t('Saving…') : texts.join(' · '));
    // The statements of a save take their rows from the counts one after another.
    if (isSaving && !previous?.isSaving) this.#savedText = editCountTexts(counts, pageLanguage(), true).join(' · ');
    if (previous?.isSaving && !isShown) setText(this.done, this.#savedText);
    else if (isShown || !editing) setText(this.done, '');
  }

  /** Shows the problem of the active cell, unless another message says it. */
  showCellProblem(text = '', otherMessage = ''): void {
    const isSaid = [this.#problem.textContent, otherMessage].some(message => message.includes(text));
    setText(this.#cellProblem, isSaid ? '' : text);
  }
}

function problemsText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? t('1 problem') : t('{0} problems', formatCount(count));
}
