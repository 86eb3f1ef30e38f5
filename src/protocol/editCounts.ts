import { t } from '@vscode/l10n';
import type { EditingView } from './browsing.ts';

/** Says for each kind of edit how many rows a save will change, or has changed if it `isDone`. */
export function editCountTexts(
  { updated, deleted, inserted }: Pick<EditingView, 'updated' | 'deleted' | 'inserted'>,
  language: string | undefined,
  isDone = false,
): string[] {
  const number = (count: number): string => count.toLocaleString(language);
  const texts: readonly (readonly [count: number, one: string, several: string])[] = isDone
    ? [
        [updated, t('1 row updated'), t('{0} rows updated', number(updated))],
        [deleted, t('1 row deleted'), t('{0} rows deleted', number(deleted))],
        [inserted, t('1 row added'), t('{0} rows added', number(inserted))],
      ]
    : [
        [updated, t('1 row to update'), t('{0} rows to update', number(updated))],
        [deleted, t('1 row to delete'), t('{0} rows to delete', number(deleted))],
        [inserted, t('1 row to add'), t('{0} rows to add', number(inserted))],
      ];
  return texts.flatMap(([count, one, several]) => (count === 0 ? [] : [count === 1 ? one : several]));
}
