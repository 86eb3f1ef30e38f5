/**
 * Sentences that a webview shows. The host translates them and hands them over with the page, since a webview has no
 * access to the translations. `{0}` stands for a value.
 */
export interface GridLabels {
  readonly noResult: string;
  readonly running: string;
  readonly rows: string;
  readonly oneRow: string;
  readonly changed: string;
  readonly cancelled: string;
  readonly stop: string;
  readonly grid: string;
  readonly none: string;
  readonly loading: string;
}

export interface SettingsLabels {
  readonly title: string;
  readonly intro: string;
  readonly empty: string;
  readonly keySince: string;
  readonly noKey: string;
  readonly setKey: string;
  readonly replaceKey: string;
  readonly forgetKey: string;
  readonly editSettings: string;
  readonly local: string;
  readonly problems: string;
}

export function fill(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replaceAll(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}
