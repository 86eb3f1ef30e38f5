import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { Project } from '../../client/index.ts';
import { keySelection, readStored } from '../../model/editing/exactRows.ts';
import { type EditableTable, readEditableTable } from '../../model/catalog/editableTable.ts';
import { primaryKeyOf } from '../../model/catalog/primaryKey.ts';
import type { StoredValue } from '../../protocol/editValues.ts';
import { isSameName } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { tagValue, textOf } from '../../protocol/shownValues.ts';
import { errorMessage } from '../errorMessages.ts';
import { withoutIcons } from '../notifications.ts';
import { editText } from './editText.ts';

const maxRows = 50;
const maxDescribingColumns = 3;
/** The limit for very wide tables: a text that no row has is searched in all rows. */
const maxSearchedColumns = 30;
const typingMs = 200;
const maxTextLength = 80;

interface ReferenceItem extends vscode.QuickPickItem {
  /** Undefined for a message. */
  readonly key: readonly StoredValue[] | undefined;
}

/** Searches a table for the row that a foreign key is to refer to. */
export async function pickReference(
  project: Pick<Project, 'query'>,
  name: string,
  targetColumns: readonly string[],
): Promise<readonly StoredValue[] | undefined> {
  const table = await readEditableTable(project, name);
  if (typeof table === 'string') throw new Error(vscode.l10n.t("The rows of '{0}' cannot be listed.", name));
  const columns = targetColumns.length > 0 ? targetColumns : primaryKeyOf(table.columns);
  if (columns.length === 0) throw new Error(vscode.l10n.t("'{0}' has no primary key.", name));
  const list = vscode.window.createQuickPick<ReferenceItem>();
  list.title = vscode.l10n.t('Choose a Row of {0}', withoutIcons(name));
  list.placeholder = vscode.l10n.t('Type to search the table');
  list.matchOnDescription = true;
  let searching = new AbortController();
  const search = async (): Promise<void> => {
    searching.abort();
    searching = new AbortController();
    const { signal } = searching;
    list.busy = true;
    try {
      const items = await findRows(project, table, columns, list.value, signal);
      if (!signal.aborted) list.items = items;
    } catch (thrown) {
      if (!signal.aborted) list.items = [{ label: errorMessage(thrown), key: undefined, alwaysShow: true }];
    } finally {
      if (!signal.aborted) list.busy = false;
    }
  };
  const typing = new Debouncer({ run: () => void search(), delayMs: typingMs });
  const { promise, resolve } = Promise.withResolvers<readonly StoredValue[] | undefined>();
  list.onDidChangeValue(() => typing.schedule());
  list.onDidAccept(() => {
    const [chosen] = list.selectedItems;
    if (chosen?.key) resolve(chosen.key);
  });
  list.onDidHide(() => resolve(undefined));
  list.show();
  void search();
  try {
    return await promise;
  } finally {
    typing.dispose();
    searching.abort();
    list.dispose();
  }
}

async function findRows(
  project: Pick<Project, 'query'>,
  table: EditableTable,
  columns: readonly string[],
  text: string,
  signal: AbortSignal,
): Promise<ReferenceItem[]> {
  const others = table.columns.filter(({ name }) => !columns.some(column => isSameName(name, column)));
  const describing = others
    .filter(({ affinity }) => affinity === 'text')
    .slice(0, maxDescribingColumns)
    .map(({ name }) => quoteIdentifierIfNeeded(name));
  const key = columns.map(quoteIdentifierIfNeeded);
  const described = describing.map((name, index) => `substr(${name}, 1, ${maxTextLength}) AS text${index}`);
  const readable = others.filter(({ type }) => !/BLOB/i.test(type)).map(({ name }) => quoteIdentifierIfNeeded(name));
  // A row is also found by the columns that describe it.
  const searched = [...new Set([...key, ...describing, ...readable])].slice(0, maxSearchedColumns);
  // No foreign key can refer to a row with NULL in its key.
  const isWhole = key.map(name => `${name} IS NOT NULL`).join(' AND ');
  const isFound =
    text === '' ? '' : `AND (${searched.map(name => `instr(lower(${name}), lower(?)) > 0`).join(' OR ')})`;
  const sql = `SELECT ${[...keySelection(key), ...described].join(', ')}
FROM ${quoteIdentifierIfNeeded(table.name)} WHERE ${isWhole} ${isFound} ORDER BY ${key.join(', ')} LIMIT ${maxRows}`;
  const params = text === '' ? [] : searched.map(() => text);
  return project.query(sql, params, {
    decode: row => {
      const values = key.map((_name, index) => readStored(row[`kind${index}`], row[`value${index}`]));
      const texts = describing.map((_name, index) => oneLine(textOf(tagValue(row[`text${index}`])), maxTextLength));
      return {
        label: withoutIcons(values.map(value => editText(value, maxTextLength)).join(', ')),
        description: withoutIcons(texts.filter(Boolean).join(' · ')),
        key: values,
        // The service has searched. VS Code would hide rows whose shown texts are cut.
        alwaysShow: true,
      };
    },
    signal,
  });
}
