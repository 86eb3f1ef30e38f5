import { t } from '@vscode/l10n';
import type { Remedy } from './settings.ts';

export const remedyLabels = (): Record<Remedy, string> => ({
  setKey: t('Set API Key'),
  issueKey: t('Issue New Key'),
  editProject: t('Edit Project'),
  tryAgain: t('Retry'),
});
