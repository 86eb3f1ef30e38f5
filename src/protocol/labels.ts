import { asRecord, asString } from '../base/shape.ts';

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
  'stop',
  'grid',
  'none',
  'loading',
  'confirmWrites',
  'readOnly',
  'failed',
] as const;
export type GridLabels = Readonly<Record<(typeof gridLabelNames)[number], string>>;

export const settingsLabelNames = [
  'title',
  'intro',
  'empty',
  'keySince',
  'noKey',
  'setKey',
  'replaceKey',
  'forgetKey',
  'editSettings',
  'local',
  'problems',
  'failed',
] as const;
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
