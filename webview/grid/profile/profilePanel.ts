import { t } from '@vscode/l10n';
import type { ColumnProfile } from '../../../src/protocol/profile.ts';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { formatCount, rowsLabel } from '../../ui/counts.ts';
import { openPopup, type PopupPlace } from '../../ui/popup.ts';
import { barChoices, type ProfileChoice, valueChoices } from './profileChoices.ts';
import { profileFigures } from './profileTexts.ts';
import './profile.css';

interface ProfilePanelOptions {
  readonly column: number;
  readonly name: string;
  readonly place: PopupPlace;
  readonly load: (signal: AbortSignal) => Promise<ColumnProfile | undefined>;
  readonly filter: () => ColumnFilter | undefined;
  readonly apply: (filter: ColumnFilter | undefined) => void;
  readonly onFailed: (thrown: unknown) => void;
  readonly restoreFocus: () => void;
}

/** Shows all figures of a column. Its bars and values filter the rows, and take the filter back. */
export class ProfilePanel {
  readonly #options: ProfilePanelOptions;
  readonly #root = element('div', 'profile-panel');
  readonly #note = element('p', 'note', t('Loading'));
  readonly #loading = new AbortController();

  constructor(options: ProfilePanelOptions) {
    this.#options = options;
    const title = t('Profile of {0}', options.name);
    this.#root.setAttribute('role', 'dialog');
    this.#root.setAttribute('aria-label', title);
    this.#root.tabIndex = -1;
    this.#note.setAttribute('role', 'status');
    this.#root.append(element('strong', 'title', title), this.#note);
  }

  async open(): Promise<void> {
    const { place, restoreFocus, load, onFailed } = this.#options;
    const { signal } = this.#loading;
    const popup = openPopup({
      content: this.#root,
      place,
      onClose: () => {
        this.#loading.abort();
        restoreFocus();
      },
    });
    this.#root.focus();
    try {
      const profile = await load(signal);
      if (signal.aborted || !profile) return;
      this.#show(profile);
      popup.fit();
    } catch (thrown) {
      if (signal.aborted) return;
      popup.close();
      onFailed(thrown);
    }
  }

  #show(profile: ColumnProfile): void {
    const figures = element('dl', 'profile-figures');
    for (const [name, value] of profileFigures(profile)) {
      const shown = element('dd', '', value);
      shown.title = value;
      figures.append(element('dt', '', name), shown);
    }
    this.#note.textContent = profile.top ? '' : t('There are too many different values to count each.');
    this.#root.append(
      figures,
      ...this.#choices(t('Distribution'), barChoices(profile)),
      ...this.#choices(t('Most frequent values'), valueChoices(profile)),
    );
  }

  /** A list of buttons, each of which is as long as its share of the rows. Empty without choices. */
  #choices(title: string, choices: readonly ProfileChoice[]): HTMLElement[] {
    if (choices.length === 0) return [];
    const { apply, filter } = this.#options;
    const list = element('div', 'profile-choices');
    list.setAttribute('role', 'group');
    list.setAttribute('aria-label', title);
    const most = Math.max(1, ...choices.map(({ count }) => count));
    const buttons = choices.map(({ label, count, toggle }) => {
      const button = element('button', 'profile-choice');
      const fill = element('span', 'profile-fill');
      fill.style.width = `${(100 * count) / most}%`;
      button.append(fill, element('span', 'label', label), element('span', 'count', formatCount(count)));
      button.setAttribute('aria-label', `${label}, ${rowsLabel(count)}`);
      button.addEventListener('click', () => {
        apply(toggle(filter()));
        refresh();
      });
      return button;
    });
    const refresh = (): void => {
      for (const [nth, { isChosenBy }] of choices.entries())
        buttons[nth]!.setAttribute('aria-pressed', String(isChosenBy(filter())));
    };
    refresh();
    list.append(element('div', 'profile-heading', title), ...buttons);
    return [list];
  }
}
