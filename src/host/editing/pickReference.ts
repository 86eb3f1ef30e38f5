import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { Project } from '../../client/index.ts';
import { readStored, storedPair } from '../../model/editing/exactRows.ts';
import { type EditableTable, readEditableTable } from '../../model/editing/editableTable.ts';
import type { StoredValue } from '../../protocol/editValues.ts';
import { isSameName } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { tagValue, textOf } from '../../wire/values.ts';
import { errorMessage } from '../errorMessages.ts';
import { withoutIcons } from '../notifications.ts';
import { editText } from './editText.ts';

const maxRows = 50;
const maxDescribingColumns = 3;
const typingMs = 200;
const maxTextLength = 80;

interface ReferenceItem extends vscode.QuickPickItem {
  readonly value: StoredValue;
}

/** Searches a table for the row that a foreign key is to refer to. */
export async function pickReference(
  project: Pick<Project, 'query'>,
  name: string,
  targetColumn: string | undefined,
): Promise<StoredValue | undefined> {
  const table = await readEditableTable(project, name);
  if (typeof table === 'string') throw new Error(vscode.l10n.t("The rows of '{0}' cannot be listed.", name));
  const column = targetColumn ?? table.columns.find(({ primaryKey }) => primaryKey === 1)?.name;
  if (column === undefined) throw new Error(vscode.l10n.t("'{0}' has no primary key.", name));
  const list = vscode.window.createQuickPick<ReferenceItem>();
  list.title = vscode.l10n.t('Choose a Row of {0}', withoutIcons(name));
  list.placeholder = vscode.l10n.t('Type to search the table');
  // The service searches. VS Code would hide rows whose shown texts are cut.
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  let searching = new AbortController();
  const search = async (): Promise<void> => {
    searching.abort();
    searching = new AbortController();
    const { signal } = searching;
    list.busy = true;
    try {
      const items = await findRows(project, table, column, list.value, signal);
      if (!signal.aborted) list.items = items;
    } catch (thrown) {
      if (!signal.aborted) list.items = [{ label: errorMessage(thrown), value: { kind: 'null' }, alwaysShow: true }];
    } finally {
      if (!signal.aborted) list.busy = false;
    }
  };
  const typing = new Debouncer({ run: () => void search(), delayMs: typingMs });
  const { promise, resolve } = Promise.withResolvers<StoredValue | undefined>();
  list.onDidChangeValue(() => typing.schedule());
  list.onDidAccept(() => {
    const [chosen] = list.selectedItems;
    if (chosen && chosen.value.kind !== 'null') resolve(chosen.value);
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
  column: string,
  text: string,
  signal: AbortSignal,
): Promise<ReferenceItem[]> {
  const describing = table.columns
    .filter(({ name, affinity }) => !isSameName(name, column) && affinity === 'text')
    .slice(0, maxDescribingColumns)
    .map(({ name }) => quoteIdentifierIfNeeded(name));
  const key = quoteIdentifierIfNeeded(column);
  const [kind, stored] = storedPair(key);
  const searched = [key, ...describing];
  const where = text === '' ? '' : `WHERE ${searched.map(name => `instr(lower(${name}), lower(?)) > 0`).join(' OR ')}`;
  const sql = `SELECT ${kind} AS kind, ${stored} AS value${describing
    .map((name, index) => `, substr(${name}, 1, ${maxTextLength}) AS text${index}`)
    .join('')}
FROM ${quoteIdentifierIfNeeded(table.name)} ${where} ORDER BY ${key} LIMIT ${maxRows}`;
  const params = text === '' ? [] : searched.map(() => text);
  return project.query(sql, params, {
    decode: row => {
      const value = readStored(row['kind'], row['value']);
      const texts = describing.map((_name, index) => oneLine(textOf(tagValue(row[`text${index}`])), maxTextLength));
      return {
        label: withoutIcons(editText(value, maxTextLength)),
        description: withoutIcons(texts.filter(Boolean).join(' · ')),
        value,
        alwaysShow: true,
      };
    },
    signal,
  });
}
