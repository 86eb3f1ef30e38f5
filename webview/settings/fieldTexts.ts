import { t } from '@vscode/l10n';
import { defaultResultLimits, type ProjectField } from '../../src/protocol/projectFields.ts';
import type { BudgetName } from '../../src/protocol/settings.ts';
import { defaultPathPrefix } from '../../src/wire/paths.ts';
import { formatCount } from '../ui/counts.ts';

export const fieldLabels = (): Record<ProjectField, string> => ({
  name: t('Display name (optional)'),
  baseUrl: t('Address'),
  pathPrefix: t('Path prefix'),
  projectId: t('Project ID'),
  holderId: t('Holder ID (optional)'),
  projectName: t('Project name at the service (optional)'),
  protection: t('Protection'),
  color: t('Color'),
  retries: t('Retries'),
  timeoutSeconds: t('Timeout (seconds)'),
  maxRows: t('Maximum rows'),
  maxBytesMb: t('Maximum size (MB)'),
});

export const helpTexts = (): Record<ProjectField, string> => ({
  name: t('Shown in the tree, in tabs and in the status bar. Default: the project name or ID.'),
  baseUrl: t('Such as https://sql.example.com. The API key belongs to it.'),
  pathPrefix: t('All paths of the service begin with it. Default: {0}', defaultPathPrefix),
  projectId: t('Identifies the project at the service.'),
  holderId: t('Sent with each request.'),
  projectName: t('Sent with each request.'),
  protection: '',
  color: t('Marks the project in the tree, in tabs and in the status bar.'),
  retries: t('How often a failed request is sent again, if that can help. Default: {0}', 3),
  timeoutSeconds: t('How long the service may send nothing. 0 means no limit. Default: {0}', 30),
  maxRows: t('A result pauses at this number of rows. Default: the limit below.'),
  maxBytesMb: t('A result pauses at this size on disk. Default: the limit below.'),
});

export const budgetHelp = (): Record<BudgetName, string> => ({
  maxRows: t('A result pauses at this number of rows. Default: {0}', formatCount(defaultResultLimits.maxRows)),
  maxBytesMb: t('A result pauses at this size on disk. Default: {0}', formatCount(defaultResultLimits.maxBytesMb)),
});
