import { t } from '@vscode/l10n';
import type { GridColumn, ResultView } from '../../src/protocol/results.ts';
import { keyWords } from '../ui/keys.ts';
import { followKeys } from './input/gridKeys.ts';

/** Describes the keys of a grid to screen readers. */
export function gridHelp({ columns, browsing }: ResultView): string {
  const help = t(
    'Press Space to show the row as a record, {0} for the column menu, Shift+F10 for the cell menu, {1} to find.',
    keyWords('Alt+ArrowDown'),
    keyWords('Mod+F'),
  );
  const tabHelp = t(
    'Where cells can be edited, Tab goes to the next one. {0} has it leave the grid, and F6 always does.',
    keyWords('Control+M'),
  );
  const { leadsTo } = columns.find(column => column.leadsTo !== undefined) ?? {};
  return [...enterHelp(leadsTo), help, ...(browsing ? [tabHelp] : [])].join(' ');
}

function enterHelp(leadsTo: GridColumn['leadsTo']): string[] {
  switch (leadsTo) {
    case 'groupedRows':
      return [t('Press Enter to show the rows of a group.')];
    case 'row':
      return [t('Press Enter to open the row.')];
    case 'plan':
      return [t('Press Enter to show the query plan.')];
    case undefined:
      return [];
    default:
      return [t('Press Enter to go to the statement of a line, {0} to go to its error.', keyWords(followKeys))];
  }
}
