import * as vscode from 'vscode';
import type { ParameterHint } from '../../../sql/parameters/parameterHints.ts';

/** What it is compared with or goes into. */
export function nameOf({ name, table }: ParameterHint): string {
  if (name === undefined) return vscode.l10n.t('parameter');
  return table === undefined ? name : `${table}.${name}`;
}

const contextBefore = 40;
const contextBehind = 20;

/** The words around the `?`, on one line. */
export function contextOf(sql: string, { start, end }: ParameterHint): string {
  const before = sql.slice(Math.max(0, start - contextBefore), start);
  const behind = sql.slice(end, end + contextBehind);
  const cut = [start > contextBefore ? '…' : '', end + contextBehind < sql.length ? '…' : ''];
  return `${cut[0]}${before}?${behind}${cut[1]}`.replaceAll(/\s+/g, ' ').trim();
}
