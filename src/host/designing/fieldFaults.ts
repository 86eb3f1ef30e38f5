import * as vscode from 'vscode';
import { isExpression } from '../../model/shaping/expressionNames.ts';
import type { DesignFault } from '../../protocol/designer.ts';
import type { ColumnDesign, IndexDesign, TableDesign } from '../../protocol/tableDesign.ts';
import { parseStatement } from '../../sql/parser/parser.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { tableNameFault } from './tableNames.ts';

interface NamesInProject {
  /** Other tables and views. */
  readonly tables: readonly string[];
  /** Indexes of other tables. */
  readonly indexes: readonly string[];
}

/** The faults of a design, each with the place of its field. */
export function fieldFaults(design: TableDesign, names: NamesInProject): DesignFault[] {
  const takenNames = [...names.tables, ...names.indexes];
  return [
    ...at('name', tableNameFault(design.name, takenNames)),
    ...columnFaults(design),
    ...design.uniqueKeys.flatMap((key, index) => at(`uniqueKeys/${index}`, emptyListFault(key.columns))),
    ...design.checks.flatMap((check, index) => at(`checks/${index}`, expressionFault(check.expression))),
    ...foreignKeyFaults(design),
    ...indexFaults(design, takenNames),
  ];
}

const at = (place: string, message: string | undefined): DesignFault[] =>
  message === undefined ? [] : [{ place, message }];

function columnFaults({ columns, primaryKey }: TableDesign): DesignFault[] {
  const seen = new Set<string>();
  return columns.flatMap(column => {
    const { id, name, type, defaultValue, generated, checks } = column;
    const place = (field: string): string => `columns/${id}/${field}`;
    const isRepeated = seen.has(keyOf(name));
    seen.add(keyOf(name));
    const isInKey = primaryKey?.columns.some(part => part.column === id) ?? false;
    return [
      ...at(place('name'), columnNameFault(name, isRepeated)),
      ...at(place('type'), isType(type) ? undefined : vscode.l10n.t('SQLite cannot read this type.')),
      ...at(place('defaultValue'), defaultValue === undefined ? undefined : defaultFault(defaultValue)),
      ...at(place('generated'), generated && generatedFault(column, isInKey)),
      ...checks.flatMap((check, index) => at(place(`checks/${index}`), expressionFault(check.expression))),
    ];
  });
}

function columnNameFault(name: string, isRepeated: boolean): string | undefined {
  if (name === '') return vscode.l10n.t('A column needs a name.');
  if (name.includes('\0')) return vscode.l10n.t('A name cannot contain a NUL character.');
  return isRepeated ? vscode.l10n.t("Another column is named '{0}'.", name) : undefined;
}

/** Whether a text is read as a type and nothing else, as `VARCHAR(20)`. */
function isType(type: string): boolean {
  if (type === '') return true;
  const column = soleColumn(`CREATE TABLE t(c ${type})`);
  return column?.colType !== undefined && column.constraints.length === 0;
}

function defaultFault(text: string): string | undefined {
  const [constraint, ...others] = soleColumn(`CREATE TABLE t(c DEFAULT ${text}\n)`)?.constraints ?? [];
  if (constraint?.constraint.type === 'DefaultColumnConstraint' && others.length === 0) return undefined;
  return isExpression(text)
    ? vscode.l10n.t('Put the expression in parentheses: ({0})', text.trim())
    : vscode.l10n.t("SQLite cannot read this value. Put a text in quotes: 'text'.");
}

function generatedFault({ generated, defaultValue }: ColumnDesign, isInKey: boolean): string | undefined {
  if (defaultValue !== undefined) return vscode.l10n.t('A generated column cannot have a default.');
  if (isInKey) return vscode.l10n.t('A generated column cannot be part of the primary key.');
  return expressionFault(generated?.expression ?? '');
}

function expressionFault(expression: string): string | undefined {
  if (expression.trim() === '') return vscode.l10n.t('Enter an expression, or remove this part.');
  return isExpression(expression) ? undefined : vscode.l10n.t('SQLite cannot read this expression.');
}

const emptyListFault = (list: readonly unknown[]): string | undefined =>
  list.length === 0 ? vscode.l10n.t('Choose at least one column.') : undefined;

function foreignKeyFaults({ foreignKeys }: TableDesign): DesignFault[] {
  return foreignKeys.flatMap(({ table, from, columns }, index) => {
    const place = (field: string): string => `foreignKeys/${index}/${field}`;
    const gaps = columns.flatMap((column, part) =>
      at(place(`from/${part}/to`), column === '' ? vscode.l10n.t('Choose a column.') : undefined),
    );
    return [
      ...at(place('table'), table === '' ? vscode.l10n.t('Choose a table.') : undefined),
      ...at(place('from'), emptyListFault(from)),
      ...gaps,
    ];
  });
}

function indexFaults({ indexes }: TableDesign, takenNames: readonly string[]): DesignFault[] {
  return indexes.flatMap(({ name, parts, where }, index) => {
    const place = (field: string): string => `indexes/${index}/${field}`;
    const others = indexes.slice(0, index).map(earlier => earlier.name);
    return [
      ...at(place('name'), indexNameFault(name, [...others, ...takenNames])),
      ...at(place('parts'), emptyListFault(parts)),
      ...parts.flatMap((part, position) =>
        at(place(`parts/${position}`), 'column' in part ? undefined : expressionFault(part.expression)),
      ),
      ...at(place('where'), where === undefined ? undefined : expressionFault(where)),
    ];
  });
}

function indexNameFault(name: IndexDesign['name'], others: readonly string[]): string | undefined {
  if (name === '') return vscode.l10n.t('An index needs a name.');
  if (name.includes('\0')) return vscode.l10n.t('A name cannot contain a NUL character.');
  if (/^sqlite_/i.test(name)) return vscode.l10n.t("Names that begin with 'sqlite_' belong to SQLite.");
  const same = others.find(other => isSameName(other, name));
  return same === undefined ? undefined : vscode.l10n.t("'{0}' already exists in this project.", same);
}

/** The column of a CREATE TABLE that has one column and no constraints. */
function soleColumn(sql: string) {
  const { ast, fault } = parseStatement(sql);
  if (fault || ast?.type !== 'CreateTableStmt' || ast.body.type !== 'ColumnsAndConstraintsCreateTableBody') {
    return undefined;
  }
  const { columns, constraints = [] } = ast.body;
  return columns.length === 1 && constraints.length === 0 ? columns[0] : undefined;
}
