import { t } from '@vscode/l10n';
import type { Comparison } from '../../src/protocol/comparison.ts';
import { element, setText } from '../ui/element.ts';
import { formatCount } from '../ui/counts.ts';
import { createPlainButton } from '../ui/iconButton.ts';
import type { ColumnCommands } from './columns/columnCommands.ts';
import type { GridParts } from './gridView.ts';
import { comparisonSubject, kindLabels } from './comparison/comparisonTexts.ts';
import './comparison/comparison.css';

const duplicateKinds = ['duplicate key (before)', 'duplicate key (after)'];

/** The kinds of rows, as the first column has them. */
const kinds = [
  { kind: 'added', texts: ['added'] },
  { kind: 'removed', texts: ['removed'] },
  { kind: 'changed', texts: ['changed'] },
  { kind: 'duplicates', texts: duplicateKinds },
] as const;

interface ComparisonBarOptions extends Pick<GridParts, 'view' | 'layout' | 'arranger' | 'changes'> {
  readonly columns: ColumnCommands;
}

/** The line above a comparison: the sources, a button for each kind of rows, and one for the columns with changes. */
export class ComparisonBar {
  readonly root = element('div', 'comparison');
  readonly #comparison: Comparison;
  readonly #options: ComparisonBarOptions;
  readonly #buttons = new Map<HTMLButtonElement, readonly string[]>();
  readonly #onlyChanged: HTMLButtonElement;

  constructor(comparison: Comparison, options: ComparisonBarOptions) {
    const { arranger } = options;
    this.#comparison = comparison;
    this.#options = options;
    const subject = element('span', 'sources');
    setText(subject, comparisonSubject(comparison));
    subject.title = subject.textContent;
    this.root.append(subject);
    for (const { kind, texts } of kinds) {
      const count = comparison.summary?.[kind] ?? 0;
      if (count === 0) continue;
      const button = createPlainButton(`${formatCount(count)} ${kindLabels[kind]()}`, () =>
        arranger.filter(0, isPressed(button) ? undefined : { kind: 'in', column: 0, texts: [...texts] }),
      );
      button.classList.add(kind);
      this.#buttons.set(button, texts);
      this.root.append(button);
    }
    this.#onlyChanged = createPlainButton(t('Only Changed Columns'), () => this.#toggleColumns());
    this.#onlyChanged.setAttribute('aria-pressed', 'false');
    if ((comparison.summary?.changes.length ?? 0) > 0) this.root.append(this.#onlyChanged);
    this.showFilters();
  }

  /** Shows which kinds the filter leaves. */
  showFilters(): void {
    const filter = this.#options.arranger.filterOf(0);
    const shown = filter?.kind === 'in' ? filter.texts : [];
    for (const [button, texts] of this.#buttons) {
      button.setAttribute('aria-pressed', String(texts.every(text => shown.includes(text))));
    }
  }

  #toggleColumns(): void {
    const { columns, view, layout, changes } = this.#options;
    const { summary, key } = this.#comparison;
    const hidden = new Set(changes?.hiddenColumns);
    const isOn = !isPressed(this.#onlyChanged);
    const isShown = (column: number): boolean =>
      column === 0 ||
      summary?.changes.some(change => change.column === column) === true ||
      key.includes(view.columns[column]?.name ?? '');
    columns.showOnly(layout.order.filter(column => !hidden.has(column) && (!isOn || isShown(column))));
    this.#onlyChanged.setAttribute('aria-pressed', String(isOn));
  }
}

const isPressed = (button: HTMLButtonElement): boolean => button.getAttribute('aria-pressed') === 'true';
