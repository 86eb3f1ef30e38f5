import { l10n } from 'vscode';
import type { SettingsLabels } from '../../protocol/labels.ts';
import {
  type FieldFault,
  fieldFaults,
  type ProjectColor,
  type ProjectField,
  type Protection,
} from '../../protocol/projectFields.ts';
import { remedyLabels } from '../remedies.ts';
import { defaultPathPrefix } from '../../wire/paths.ts';
import { fieldFaultMessage } from '../errorMessages.ts';
import { protectionDescription, protectionLabels } from '../projectAppearance.ts';
import { defaultLimits } from '../results/resultLimits.ts';
import { numberText } from '../numbers.ts';

/** The labels of the page of projects and credentials. */
export function settingsLabels(): SettingsLabels {
  return {
    title: l10n.t('Manage Projects'),
    intro: l10n.t(
      "Projects are stored in the settings. API keys are stored in VS Code's secret storage and are never shown.",
    ),
    empty: l10n.t('There are no projects yet.'),
    tryLocally: l10n.t('Try It Locally'),
    add: l10n.t('Add Project…'),
    import: l10n.t('Import…'),
    export: l10n.t('Export…'),
    editSettings: l10n.t('Edit Projects in Settings'),
    openSettings: l10n.t('Open Settings'),
    problems: l10n.t('Problems'),
    failed: l10n.t('The action failed. Try again, or reload the window.'),
    keySince: l10n.t('API key set on {0}'),
    noKey: l10n.t('No API key'),
    setKey: l10n.t('Set API Key…'),
    replaceKey: l10n.t('Replace API Key…'),
    forgetKey: l10n.t('Forget API Key'),
    test: l10n.t('Test Connection'),
    testing: l10n.t('Testing…'),
    copyToWorkspace: l10n.t('Copy to Workspace Settings'),
    remove: l10n.t('Remove Project…'),
    edit: l10n.t('Edit'),
    save: l10n.t('Save'),
    discard: l10n.t('Discard'),
    unsaved: l10n.t('Unsaved changes.'),
    saved: l10n.t('Saved.'),
    keyStays: l10n.t('The API key stays with the former address and project ID. Set a key after you save.'),
    duplicate: l10n.t('This project already exists. Edit that project instead.'),
    user: l10n.t('User settings'),
    workspace: l10n.t('Workspace settings'),
    local: l10n.t('Local service'),
    budgets: l10n.t('Default Result Limits'),
    'budget.maxRows': fieldLabels().maxRows,
    'budget.maxBytesMb': fieldLabels().maxBytesMb,
    'budgetHelp.maxRows': l10n.t(
      'A result pauses at this number of rows. Default: {0}',
      numberText(defaultLimits.maxRows),
    ),
    'budgetHelp.maxBytesMb': l10n.t(
      'A result pauses at this size on disk. Default: {0}',
      numberText(defaultLimits.maxBytesMb),
    ),
    ...prefixed('remedy.', remedyLabels()),
    ...prefixed('field.', fieldLabels()),
    ...prefixed('help.', helpTexts()),
    ...prefixed('fault.', faultLabels()),
    ...prefixed('protection.', protectionLabels()),
    ...prefixed('protectionHelp.', protectionHelp()),
    ...prefixed('color.', colorLabels()),
    'color.none': l10n.t('None'),
  };
}

const protectionHelp = (): Record<Protection, string> => ({
  open: protectionDescription('open'),
  confirmWrites: protectionDescription('confirmWrites'),
  readOnly: protectionDescription('readOnly'),
});

const fieldLabels = (): Record<ProjectField, string> => ({
  name: l10n.t('Display name (optional)'),
  baseUrl: l10n.t('Address'),
  pathPrefix: l10n.t('Path prefix'),
  projectId: l10n.t('Project ID'),
  holderId: l10n.t('Holder ID (optional)'),
  projectName: l10n.t('Project name at the service (optional)'),
  protection: l10n.t('Protection'),
  color: l10n.t('Color'),
  retries: l10n.t('Retries'),
  timeoutSeconds: l10n.t('Timeout (seconds)'),
  maxRows: l10n.t('Maximum rows'),
  maxBytesMb: l10n.t('Maximum size (MB)'),
});

const helpTexts = (): Record<ProjectField, string> => ({
  name: l10n.t('Shown in the tree, in tabs and in the status bar. Default: the project name or ID.'),
  baseUrl: l10n.t('Such as https://sql.example.com. The API key belongs to it.'),
  pathPrefix: l10n.t('All paths of the service begin with it. Default: {0}', defaultPathPrefix),
  projectId: l10n.t('Identifies the project at the service.'),
  holderId: l10n.t('Sent with each request.'),
  projectName: l10n.t('Sent with each request.'),
  protection: '',
  color: l10n.t('Marks the project in the tree, in tabs and in the status bar.'),
  retries: l10n.t('How often a failed request is sent again, if that can help. Default: {0}', 3),
  timeoutSeconds: l10n.t('How long the service may send nothing. 0 means no limit. Default: {0}', 30),
  maxRows: l10n.t('A result pauses at this number of rows. Default: the limit below.'),
  maxBytesMb: l10n.t('A result pauses at this size on disk. Default: the limit below.'),
});

export const colorLabels = (): Record<ProjectColor, string> => ({
  red: l10n.t('Red'),
  orange: l10n.t('Orange'),
  yellow: l10n.t('Yellow'),
  green: l10n.t('Green'),
  blue: l10n.t('Blue'),
  purple: l10n.t('Purple'),
});

const faultLabels = (): Record<FieldFault, string> =>
  Object.fromEntries(fieldFaults.map(fault => [fault, fieldFaultMessage(fault)])) as Record<FieldFault, string>;

type Prefixed<Prefix extends string, Name extends string> = Record<`${Prefix}${Name}`, string>;

function prefixed<Prefix extends string, Name extends string>(
  prefix: Prefix,
  labels: Record<Name, string>,
): Prefixed<Prefix, Name> {
  const entries = Object.entries<string>(labels).map(([name, label]) => [`${prefix}${name}`, label]);
  return Object.fromEntries(entries) as Prefixed<Prefix, Name>;
}
