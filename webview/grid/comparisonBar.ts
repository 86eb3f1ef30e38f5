import { t } from '@vscode/l10n';
import { element, setText } from '../ui/element.ts';
import { formatCount } from '../ui/counts.ts';
import { createPlainButton } from '../ui/iconButton.ts';
import type { ChangedCells } from './comparison/changedCells.ts';
import { comparisonSubject, kindLabels } from './comparison/comparisonTexts.ts';
import type { ColumnCommands } from './columns/columnCommands.ts';
import type { GridParts } from './gridView.ts';
import './comparison/comparison.css';

/** The kinds of rows, as the first column has them. */
const kinds = [
  { kind: 'added', texts: ['added'] },
  { kind: 'removed', texts: ['removed'] },
  { kind: 'changed', texts: ['changed'] },
  { kind: 'duplicates', texts: ['duplicate key (before)', 'duplicate key (after)'] },
] as const;

interface ComparisonBarOptions extends Pick<GridParts, 'view' | 'layout' | 'arranger'> {
  readonly changes: ChangedCells;
  readonly columns: ColumnCommands;
}

/** The line above a comparison: the sources, a button for each kind of rows, and one for the columns with changes. */
export function createComparisonBar({ columns, view, layout, arranger, changes }: ComparisonBarOptions) {
  const root = element('div', 'comparison');
  const subject = element('span', 'sources');
  const buttons = kinds.map(({ kind, texts }) => {
    const button = createPlainButton('', () =>
      arranger.filter(0, isPressed(button) ? undefined : { kind: 'in', column: 0, texts: [...texts] }),
    );
    button.classList.add(kind);
    return button;
  });
  const onlyChanged = createPlainButton(t('Only Changed Columns'), () => {
    const { key } = changes.comparison();
    const isOn = !isPressed(onlyChanged);
    const isShown = (column: number): boolean =>
      column === 0 || changes.isChanged(column) || key.includes(view.columns[column]?.name ?? '');
    const all = layout.order.filter(column => !changes.hiddenColumns.includes(column));
    columns.showOnly(isOn ? all.filter(isShown) : all);
    onlyChanged.setAttribute('aria-pressed', String(isOn));
  });
  onlyChanged.setAttribute('aria-pressed', 'false');
  root.append(subject, ...buttons, onlyChanged);

  /** Shows the kinds of rows that there are, and which of them the filter leaves. */
  const show = (): void => {
    const comparison = changes.comparison();
    setText(subject, comparisonSubject(comparison));
    subject.title = subject.textContent;
    const filter = arranger.filterOf(0);
    const shown: readonly string[] = filter?.kind === 'in' ? filter.texts : [];
    for (const [nth, { kind, texts }] of kinds.entries()) {
      const button = buttons[nth]!;
      const count = comparison.summary?.[kind] ?? 0;
      button.hidden = count === 0;
      setText(button, `${formatCount(count)} ${kindLabels[kind]()}`);
      button.setAttribute('aria-pressed', String(texts.every(text => shown.includes(text))));
    }
    onlyChanged.hidden = (comparison.summary?.changedColumns.length ?? 0) === 0;
  };
  show();
  return { root, show };
}

const isPressed = (button: HTMLButtonElement): boolean => button.getAttribute('aria-pressed') === 'true';
