import { l10n } from 'vscode';
import { oneLine } from '../../base/oneLine.ts';
import type { ResultColumns } from '../../protocol/languageBridge.ts';

/** More columns would make a tooltip that nobody reads. */
const maxColumns = 20;
const maxNameLength = 60;

/** The columns of a result, such as "2 columns: id INTEGER, name TEXT". */
export function columnsNote({ count, columns }: ResultColumns): string {
  const named = columns.slice(0, maxColumns).map(({ name, type }) => oneLine(`${name} ${type}`, maxNameLength));
  const list = [...named, ...(count > named.length ? ['…'] : [])].join(', ');
  return count === 1 ? l10n.t('1 column: {0}', list) : l10n.t('{0} columns: {1}', count, list);
}
