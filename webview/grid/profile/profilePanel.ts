import { t } from '@vscode/l10n';
import type { ColumnProfile } from '../../../src/protocol/profile.ts';
import { element } from '../../ui/element.ts';
import { formatCount, rowsLabel } from '../../ui/counts.ts';
import { openPopup, type PopupPlace } from '../../ui/popup.ts';
import type { GridParts } from '../gridView.ts';
import { barChoices, type ProfileChoice, valueChoices } from './profileChoices.ts';
import { profileFigures } from './profileTexts.ts';
import './profile.css';

interface ProfilePanelOptions extends Pick<GridParts, 'arranger' | 'calls' | 'onFailed' | 'restoreFocus'> {
  readonly column: number;
  readonly name: string;
  readonly place: PopupPlace;
}

/** Shows all figures of a column. Its bars and values filter the rows, and take the filter back. */
export async function openProfilePanel(options: ProfilePanelOptions): Promise<void> {
  const { column, name, place, calls, restoreFocus, onFailed } = options;
  const loading = new AbortController();
  const { signal } = loading;
  const title = t('Profile of {0}', name);
  const root = element('div', 'profile-panel', { role: 'dialog', 'aria-label': title, tabindex: '-1' });
  const note = element('p', 'note', { role: 'status' });
  note.textContent = t('Loading');
  root.append(element('strong', 'title', title), note);
  const popup = openPopup({
    content: root,
    place,
    onClose: () => {
      loading.abort();
      restoreFocus();
    },
  });
  root.focus();
  try {
    const [profile] = await calls.send('profile', { query: { columns: [column], inDetail: true } }, signal);
    if (signal.aborted || !profile) return;
    note.textContent = profile.top ? '' : t('There are too many different values to count each.');
    root.append(
      figureList(profile),
      ...choiceList(t('Distribution'), barChoices(profile), options),
      ...choiceList(t('Most frequent values'), valueChoices(profile), options),
    );
    popup.fit();
  } catch (thrown) {
    if (signal.aborted) return;
    popup.close();
    onFailed(thrown);
  }
}

function figureList(profile: ColumnProfile): HTMLElement {
  const figures = element('dl', 'profile-figures');
  for (const [name, value] of profileFigures(profile)) {
    const shown = element('dd', '', value);
    shown.title = value;
    figures.append(element('dt', '', name), shown);
  }
  return figures;
}

/** A list of buttons, each of which is as long as its share of the rows. Empty without choices. */
function choiceList(
  title: string,
  choices: readonly ProfileChoice[],
  { column, arranger }: Pick<ProfilePanelOptions, 'column' | 'arranger'>,
): HTMLElement[] {
  if (choices.length === 0) return [];
  const list = element('div', 'profile-choices', { role: 'group', 'aria-label': title });
  const most = Math.max(1, ...choices.map(({ count }) => count));
  const buttons = choices.map(({ label, count, toggle }) => {
    const button = element('button', 'profile-choice', { 'aria-label': `${label}, ${rowsLabel(count)}` });
    const fill = element('span', 'profile-fill');
    fill.style.width = `${(100 * count) / most}%`;
    button.append(fill, element('span', 'label', label), element('span', 'count', formatCount(count)));
    button.addEventListener('click', () => {
      arranger.filter(column, toggle(arranger.filterOf(column)));
      refresh();
    });
    return button;
  });
  const refresh = (): void => {
    for (const [nth, { isChosenBy }] of choices.entries())
      buttons[nth]!.setAttribute('aria-pressed', String(isChosenBy(arranger.filterOf(column))));
  };
  refresh();
  list.append(element('div', 'profile-heading', title), ...buttons);
  return [list];
}
