import { t } from '@vscode/l10n';
import { pageLanguage } from './host.ts';

export const formatCount = (count: number): string => count.toLocaleString(pageLanguage());

export const rowsLabel = (count: number): string => (count === 1 ? t('1 row') : t('{0} rows', formatCount(count)));
