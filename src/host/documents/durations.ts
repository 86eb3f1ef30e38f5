import * as vscode from 'vscode';

/** As the results view writes them: whole milliseconds, and seconds from one on. */
export function durationOf(ms: number): string {
  const [value, unit, digits] = ms < 999.5 ? [ms, 'millisecond', 0] : [ms / 1000, 'second', 1];
  const format = { style: 'unit', unit, unitDisplay: 'short', minimumFractionDigits: digits } as const;
  return new Intl.NumberFormat(vscode.env.language, { ...format, maximumFractionDigits: digits }).format(value);
}
