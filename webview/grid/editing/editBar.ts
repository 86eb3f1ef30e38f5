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
export function createEditBar({ run, goToNextProblem, passFocus, onSolved }: EditBarOptions) {
  const doneText = element('span', '', { role: 'status' });
  const countText = element('span', '', { role: 'status' });
  const check = createPlainButton(t('Check Outcome'), () => run('checkOutcome'));
  const save = createPlainButton(t('Save Changes'), () => run('saveEdits'));
  const buttons = [
    check,
    save,
    createPlainButton(t('Review Changes'), () => run('reviewEdits')),
    createPlainButton(t('Discard Changes'), () => run('discardEdits')),
  ];
  // Counts the problems, and goes from one to the next.
  const problemsButton = createPlainButton('', goToNextProblem);
  const problemText = element('p', 'failure', { role: 'alert' });
  // Screen readers read it at the cell.
  const cellProblem = element('p', 'failure', { 'aria-hidden': 'true' });
  const root = element('span', 'edit-bar', { role: 'group', 'aria-label': t('Pending edits'), hidden: '' });
  let shownEditing: EditingView | undefined;
  let savedText = '';
  showKeys(problemsButton, t('Next Problem'), nextProblemKeys);
  root.append(countText, ...buttons, problemsButton);

  /** Shows the problem of the active cell, unless another message says it. */
  const showCellProblem = (text = '', otherMessage = ''): void => {
    const isSaid = [problemText.textContent, otherMessage].some(message => message.includes(text));
    setText(cellProblem, isSaid ? '' : text);
  };

  const show = (view: ResultView | null): void => {
    const previous = shownEditing;
    const editing = view?.browsing?.editing;
    shownEditing = editing;
    const { updated = 0, deleted = 0, inserted = 0, problem = '', problems = 0, isSaving = false } = editing ?? {};
    const counts = { updated, deleted, inserted };
    const isUnknown = editing?.isOutcomeUnknown === true;
    const isShown = updated + deleted + inserted + problems > 0 || problem !== '' || isUnknown;
    if (!isShown && root.contains(document.activeElement)) passFocus();
    root.hidden = !isShown;
    for (const button of buttons) button.disabled = isSaving;
    const hadFocus = [check, save].some(button => button === document.activeElement);
    check.hidden = !isUnknown;
    save.hidden = isUnknown;
    if (hadFocus) (isUnknown ? check : save).focus();
    setText(problemText, visibleText(problem, { keepLines: true }));
    if (problems === 0 && problemsButton === document.activeElement) passFocus();
    setText(problemsButton, problemsText(problems));
    problemsButton.hidden = problems === 0;
    if (problems === 0) showCellProblem(undefined);
    if (problems === 0 && (previous?.problems ?? 0) > 0) onSolved();
    const texts = [...(isUnknown ? [t('Outcome unknown')] : []), ...editCountTexts(counts, pageLanguage())];
    setText(countText, isSaving ? t('Saving…') : texts.join(' · '));
    // The statements of a save take their rows from the counts one after another.
    if (isSaving && !previous?.isSaving) savedText = editCountTexts(counts, pageLanguage(), true).join(' · ');
    if (previous?.isSaving && !isShown) setText(doneText, savedText);
    else if (isShown || !editing) setText(doneText, '');
  };

  return {
    root,
    /** After a save, the number of its rows. */
    done: doneText,
    messages: [problemText, cellProblem],
    show,
    showCellProblem,
  };
}

function problemsText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? t('1 problem') : t('{0} problems', formatCount(count));
}
