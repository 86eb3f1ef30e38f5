import { asRecord, asString } from '../base/shape.ts';
import { fieldFaults, projectColors, projectFieldNames, protections } from '../wire/projectFields.ts';
import { remedies } from './settings.ts';

/**
 * Sentences that a webview shows. The host translates them and hands them over with the page, since a webview has no
 * access to the translations. `{0}` stands for a value.
 */
export const gridLabelNames = [
  'noResult',
  'running',
  'rows',
  'oneRow',
  'changed',
  'oneChanged',
  'cancelled',
  'limited',
  'more',
  'stop',
  'grid',
  'none',
  'loading',
  'confirmWrites',
  'readOnly',
  'failed',
] as const;
export type GridLabels = Readonly<Record<(typeof gridLabelNames)[number], string>>;

const settingsSentenceNames = [
  'title',
  'intro',
  'empty',
  'add',
  'import',
  'export',
  'editSettings',
  'openSettings',
  'problems',
  'failed',
  'keySince',
  'noKey',
  'setKey',
  'replaceKey',
  'forgetKey',
  'test',
  'testing',
  'copyToWorkspace',
  'remove',
  'edit',
  'save',
  'discard',
  'unsaved',
  'saved',
  'keyStays',
  'duplicate',
  'user',
  'workspace',
  'local',
  'color.none',
  'budgets',
  'budget.maxRows',
  'budget.maxBytesMb',
] as const;
export const settingsLabelNames = [
  ...settingsSentenceNames,
  ...remedies.map(name => `remedy.${name}` as const),
  ...projectFieldNames.map(name => `field.${name}` as const),
  ...fieldFaults.map(name => `fault.${name}` as const),
  ...protections.map(name => `protection.${name}` as const),
  ...projectColors.map(name => `color.${name}` as const),
];
export type SettingsLabels = Readonly<Record<(typeof settingsLabelNames)[number], string>>;

/** The labels of a page. One that is missing shows as its name, which says what to mend and keeps the page usable. */
export function decodeLabels<Name extends string>(
  names: readonly Name[],
  value: unknown,
): Readonly<Record<Name, string>> {
  const record = asRecord(value);
  const entries = names.map(name => [name, asString(record?.[name]) ?? name] as const);
  return Object.fromEntries(entries) as Record<Name, string>;
}

export function fill(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replaceAll(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}
