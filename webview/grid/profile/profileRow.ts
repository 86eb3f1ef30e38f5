import { t } from '@vscode/l10n';
import { formatDuration } from '../../../src/base/formats.ts';
import type { ColumnProfile } from '../../../src/protocol/profile.ts';
import type { Arrangement, ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { formatCount } from '../../ui/counts.ts';
import { pageLanguage } from '../../ui/host.ts';
import { placeBelow, type PopupPlace } from '../../ui/popup.ts';
import type { FilterParts } from '../arrange/arrangementBar.ts';
import { CellStrip, hasSameCells, positionsToMount, type Viewport } from '../rows/viewport.ts';
import { barChoices, type ProfileChoice, valueChoices } from './profileChoices.ts';
import type { Profiles } from './profiles.ts';
import { distinctText, profileFigures, shareText } from './profileTexts.ts';
import './profile.css';

/** As in the style sheet. */
const rowHeight = 46;
/** More values are in the panel of the column. */
const maxValues = 12;

interface ProfileRowOptions extends Pick<FilterParts, 'arranger' | 'nameOf'> {
  readonly profiles: Profiles;
  readonly openPanel: (column: number, place: PopupPlace) => void;
}

interface ProfileCell {
  readonly root: HTMLElement;
  readonly bars: HTMLElement;
  readonly text: HTMLElement;
  column: number;
  shown: ColumnProfile | undefined;
  /** The bars, in their order. */
  choices: readonly ProfileChoice[];
}

/** A row below the headers that shows what is in each column: a click on a bar filters by it, and one beside it says more. */
export class ProfileRow {
  readonly root = element('div', 'row profiles', { role: 'row', 'aria-label': t('Profile') });
  readonly height = rowHeight;
  readonly #options: ProfileRowOptions;
  readonly #corner = element('button', 'cell number profile-corner');
  readonly #strip: CellStrip<ProfileCell>;
  #viewport: Viewport | undefined;

  constructor(options: ProfileRowOptions) {
    this.#options = options;
    this.#corner.addEventListener('click', () => options.profiles.stop());
    this.#strip = new CellStrip(this.root, this.#corner, () => this.#createCell());
    // The grid around the bars selects cells.
    for (const name of ['pointerdown', 'dblclick', 'contextmenu']) {
      this.root.addEventListener(name, event => event.stopPropagation());
    }
  }

  get isShown(): boolean {
    return this.root.parentElement !== null;
  }

  hide(): void {
    this.root.remove();
    this.#options.profiles.dispose();
    this.#viewport = undefined;
  }

  /** `top` is the height of the rows above. */
  paint(viewport: Viewport, { filters }: Arrangement, top: number): void {
    if (!this.isShown) return;
    const { profiles, nameOf } = this.#options;
    this.root.style.top = `${top}px`;
    this.root.style.width = `${viewport.width}px`;
    this.root.setAttribute('aria-rowindex', String(viewport.headerRows));
    this.#strip.scrollTo(viewport.scrollLeft);
    this.#paintCorner();
    const { layout } = viewport;
    const hasMoved = !hasSameCells(this.#viewport, viewport);
    this.#viewport = viewport;
    this.#strip.layOut(viewport, undefined, (cell, position) => {
      cell.column = layout.columnAt(position);
      const filter = filters.find(({ column }) => column === cell.column);
      paintCell(cell, nameOf(cell.column), profiles.of(cell.column), filter);
    });
    if (hasMoved) profiles.want(positionsToMount(viewport, undefined).map(position => layout.columnAt(position)));
  }

  #paintCorner(): void {
    const { isLoading, elapsedMs } = this.#options.profiles;
    const corner = this.#corner;
    corner.disabled = !isLoading;
    corner.textContent = isLoading ? '◼' : formatDuration(elapsedMs, pageLanguage());
    corner.title = isLoading ? t('Stop') : t('The time of the profile');
    corner.setAttribute('aria-label', corner.title);
  }

  #createCell(): ProfileCell {
    const root = element('div', 'cell', { role: 'gridcell' });
    const bars = element('div', 'profile-bars');
    const text = element('div', 'profile-text');
    root.append(bars, text);
    const cell: ProfileCell = { root, bars, text, column: 0, shown: undefined, choices: [] };
    root.addEventListener('click', ({ target }) => this.#onClick(cell, target));
    return cell;
  }

  #onClick(cell: ProfileCell, target: EventTarget | null): void {
    const { arranger, openPanel } = this.#options;
    const { column, bars, choices } = cell;
    const bar = target instanceof Element ? target.closest('.profile-bar') : null;
    const choice = bar ? choices[[...bars.children].indexOf(bar)] : undefined;
    if (choice) arranger.filter(column, choice.toggle(arranger.filterOf(column)));
    else openPanel(column, placeBelow(cell.root));
  }
}

function paintCell(
  cell: ProfileCell,
  name: string,
  profile: ColumnProfile | undefined,
  filter: ColumnFilter | undefined,
): void {
  if (profile !== cell.shown) {
    cell.shown = profile;
    const { cells = 0, nulls = 0 } = profile?.figures ?? {};
    const notes = profile ? [t('{0} different', distinctText(profile))] : [];
    if (nulls > 0) notes.push(`${shareText(nulls, cells)} NULL`);
    cell.text.textContent = notes.join(' · ');
    cell.choices = profile ? choicesOf(profile) : [];
    cell.bars.replaceChildren(...barsOf(cell.choices));
    const figures = profile ? profileFigures(profile) : [];
    cell.root.title = figures.map(([figure, value]) => `${figure}: ${value}`).join('\n');
  }
  setAttribute(cell.root, 'aria-label', [name, ...cell.root.title.split('\n')].join(', '));
  for (const [nth, bar] of [...cell.bars.children].entries()) {
    bar.classList.toggle('chosen', cell.choices[nth]!.isChosenBy(filter));
  }
}

/** A histogram of numbers, or the most frequent values. */
const choicesOf = (profile: ColumnProfile): ProfileChoice[] =>
  profile.bars.length > 0 ? barChoices(profile) : valueChoices(profile).slice(0, maxValues);

function barsOf(choices: readonly ProfileChoice[]): HTMLElement[] {
  const most = Math.max(1, ...choices.map(({ count }) => count));
  return choices.map(({ label, count }) => {
    const bar = element('div', 'profile-bar');
    const fill = element('div', 'profile-fill');
    fill.style.height = count === 0 ? '0' : `max(2px, ${(100 * count) / most}%)`;
    bar.title = `${label}\n${formatCount(count)}`;
    bar.append(fill);
    return bar;
  });
}
