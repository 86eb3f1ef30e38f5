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
import { fieldFaultMessage } from '../errorMessages.ts';

/** The labels of the page of projects and credentials. */
export function settingsLabels(): SettingsLabels {
  return {
    title: l10n.t('Projects and Credentials'),
    intro: l10n.t(
      'Projects are entries of the settings. Keys are kept in the secret storage of VS Code. They are never shown and never written to a setting.',
    ),
    empty: l10n.t('No projects yet.'),
    add: l10n.t('Add Project…'),
    import: l10n.t('Import…'),
    export: l10n.t('Export…'),
    editSettings: l10n.t('Edit Projects in Settings'),
    openSettings: l10n.t('Open Settings'),
    problems: l10n.t('Problems'),
    failed: l10n.t('This could not be done. Try again, or reload the window.'),
    keySince: l10n.t('Key set on {0}'),
    noKey: l10n.t('No key set'),
    setKey: l10n.t('Set Key…'),
    replaceKey: l10n.t('Replace Key…'),
    forgetKey: l10n.t('Forget Key'),
    test: l10n.t('Test'),
    testing: l10n.t('Asking the service…'),
    copyToWorkspace: l10n.t('Copy to Workspace'),
    remove: l10n.t('Remove…'),
    edit: l10n.t('Edit'),
    save: l10n.t('Save'),
    discard: l10n.t('Discard'),
    unsaved: l10n.t('Not saved yet.'),
    saved: l10n.t('Saved.'),
    keyStays: l10n.t('A key belongs to its address and project. Enter one for these after you have saved.'),
    duplicate: l10n.t('There is such a project already.'),
    user: l10n.t('your settings'),
    workspace: l10n.t('workspace settings'),
    local: l10n.t('local service'),
    budgets: l10n.t('What a result keeps, where its project does not say otherwise'),
    'budget.maxRows': l10n.t('Most rows'),
    'budget.maxBytesMb': l10n.t('Most megabytes on disk'),
    ...prefixed('remedy.', remedyLabels()),
    ...prefixed('field.', fieldLabels()),
    ...prefixed('fault.', faultLabels()),
    ...prefixed('protection.', protectionLabels()),
    ...prefixed('color.', colorLabels()),
    'color.none': l10n.t('None'),
  };
}

export const protectionLabels = (): Record<Protection, string> => ({
  open: l10n.t('Open'),
  confirmWrites: l10n.t('Confirm writes'),
  readOnly: l10n.t('Read-only'),
});

const fieldLabels = (): Record<ProjectField, string> => ({
  name: l10n.t('Name'),
  baseUrl: l10n.t('Base URL'),
  pathPrefix: l10n.t('Path prefix'),
  projectId: l10n.t('Project ID'),
  holderId: l10n.t('Holder ID'),
  projectName: l10n.t('Project name at the service'),
  protection: l10n.t('Protection'),
  color: l10n.t('Colour'),
  retries: l10n.t('Retries (usually 3)'),
  timeoutSeconds: l10n.t('Timeout in seconds (usually 30)'),
  maxRows: l10n.t('Most rows of a result (usually as below)'),
  maxBytesMb: l10n.t('Most megabytes of a result (usually as below)'),
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
