import { t } from '@vscode/l10n';
import { formatDuration } from '../../../src/base/formats.ts';
import type { ColumnProfile } from '../../../src/protocol/profile.ts';
import type { Arrangement, ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { formatCount } from '../../ui/counts.ts';
import { pageLanguage } from '../../ui/host.ts';
import { placeBelow, type PopupPlace } from '../../ui/popup.ts';
import type { Arranger } from '../arrange/arranger.ts';
import { CellStrip, hasSameCells, positionsToMount, type Viewport } from '../rows/viewport.ts';
import { hasBar, hasValue, toggleBar, toggleValue } from './profileFilters.ts';
import type { Profiles } from './profiles.ts';
import { barLabel, distinctText, profileFigures, shareText, valueLabel } from './profileTexts.ts';
import './profile.css';

/** As in the style sheet. */
const rowHeight = 46;
/** More values are in the panel of the column. */
const maxValues = 12;

interface ProfileRowOptions {
  readonly profiles: Profiles;
  readonly arranger: Arranger;
  readonly nameOf: (column: number) => string;
  readonly openPanel: (column: number, place: PopupPlace) => void;
}

interface ProfileCell {
  readonly root: HTMLElement;
  readonly bars: HTMLElement;
  readonly text: HTMLElement;
  column: number;
  shown: ColumnProfile | undefined;
}

/** A row below the headers that shows what is in each column: a click on a bar filters by it, and one beside it says more. */
export class ProfileRow {
  readonly root = element('div', 'row profiles');
  readonly height = rowHeight;
  readonly #options: ProfileRowOptions;
  readonly #corner = element('button', 'cell number profile-corner');
  readonly #strip: CellStrip<ProfileCell>;
  #viewport: Viewport | undefined;
  #isShown = false;

  constructor(options: ProfileRowOptions) {
    this.#options = options;
    this.root.setAttribute('role', 'row');
    this.root.setAttribute('aria-label', t('Profile'));
    this.#corner.addEventListener('click', () => options.profiles.stop());
    this.#strip = new CellStrip(this.root, this.#corner, () => this.#createCell());
    // The grid around the bars selects cells.
    for (const name of ['pointerdown', 'dblclick', 'contextmenu']) {
      this.root.addEventListener(name, event => event.stopPropagation());
    }
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  /** Returns whether the row is shown now. */
  toggle(): boolean {
    this.#isShown = !this.#isShown;
    if (!this.#isShown) {
      this.root.remove();
      this.#options.profiles.dispose();
      this.#viewport = undefined;
    }
    return this.#isShown;
  }

  /** `top` is the height of the rows above. */
  paint(viewport: Viewport, { filters }: Arrangement, top: number): void {
    if (!this.#isShown) return;
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
      paintCell(
        cell,
        profiles.of(cell.column),
        filters.find(filter => filter.column === cell.column),
      );
      setAttribute(cell.root, 'aria-label', labelOf(nameOf(cell.column), cell.shown));
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
    const root = element('div', 'cell');
    const bars = element('div', 'profile-bars');
    const text = element('div', 'profile-text');
    root.setAttribute('role', 'gridcell');
    root.append(bars, text);
    const cell: ProfileCell = { root, bars, text, column: 0, shown: undefined };
    root.addEventListener('click', ({ target }) => this.#onClick(cell, target));
    return cell;
  }

  #onClick(cell: ProfileCell, target: EventTarget | null): void {
    const { arranger, openPanel } = this.#options;
    const { column, shown } = cell;
    const bar = target instanceof Element ? target.closest('.profile-bar') : null;
    const nth = bar ? [...cell.bars.children].indexOf(bar) : -1;
    if (!shown || nth === -1) return openPanel(column, placeBelow(cell.root));
    const filter = arranger.filterOf(column);
    const range = shown.bars[nth];
    const value = shown.top?.values[nth];
    if (range) arranger.filter(column, toggleBar(filter, column, range));
    else if (value) arranger.filter(column, toggleValue(filter, column, value.text));
  }
}

function labelOf(name: string, profile: ColumnProfile | undefined): string {
  const figures = profile ? profileFigures(profile).map(([figure, value]) => `${figure} ${value}`) : [];
  return [name, ...figures].join(', ');
}

function paintCell(cell: ProfileCell, profile: ColumnProfile | undefined, filter: ColumnFilter | undefined): void {
  if (profile !== cell.shown) {
    cell.shown = profile;
    const { cells = 0, nulls = 0 } = profile?.figures ?? {};
    const notes = profile ? [t('{0} different', distinctText(profile))] : [];
    if (nulls > 0) notes.push(`${shareText(nulls, cells)} NULL`);
    cell.text.textContent = notes.join(' · ');
    cell.root.title = profile
      ? profileFigures(profile)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')
      : '';
    cell.bars.replaceChildren(...(profile ? createBars(profile) : []));
  }
  for (const [nth, bar] of [...cell.bars.children].entries()) {
    const range = profile?.bars[nth];
    const value = profile?.top?.values[nth];
    bar.classList.toggle('chosen', range ? hasBar(filter, range) : value !== undefined && hasValue(filter, value.text));
  }
}

/** A histogram of numbers, or the most frequent values. */
function createBars({ bars, top }: ColumnProfile): HTMLElement[] {
  const values = top?.values.slice(0, maxValues) ?? [];
  const labelled =
    bars.length > 0
      ? bars.map(({ from, to, count }) => ({ label: barLabel(from, to), count }))
      : values.map(({ text, count }) => ({ label: valueLabel(text), count }));
  const most = Math.max(1, ...labelled.map(({ count }) => count));
  return labelled.map(({ label, count }) => {
    const bar = element('div', 'profile-bar');
    const fill = element('div', 'profile-fill');
    fill.style.height = count === 0 ? '0' : `max(2px, ${(100 * count) / most}%)`;
    bar.title = `${label}\n${formatCount(count)}`;
    bar.append(fill);
    return bar;
  });
}
