import { t } from '@vscode/l10n';
import type { DiagramKey, DiagramState } from '../../src/protocol/diagram.ts';
import { shortList } from '../../src/base/oneLine.ts';
import { formatCount } from '../ui/counts.ts';
import { visibleText } from '../ui/visibleText.ts';
import type { KeyEdge, TableGraph, GraphTable } from './graph.ts';

/** Names in Mermaid cannot be escaped. */
const mermaidWord = (text: string): string =>
  text.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_').replace(/^(?=[^\p{L}_])/u, '_');
const mermaidQuoted = (text: string): string => `"${text.replaceAll(/["\\%\p{Cc}]/gu, '_')}"`;

/** An entity relationship diagram: https://mermaid.js.org/syntax/entityRelationshipDiagram.html */
export function mermaidOf({ nodes, edges }: TableGraph): string {
  const entities = nodes.flatMap(({ name, table }) => [
    `  ${mermaidQuoted(name)} {`,
    ...(table?.columns ?? []).map(({ name: column, type, isPrimary, isNotNull }) => {
      const isForeign = table?.keys.some(({ columns }) => columns.includes(column)) ?? false;
      const marks = [isPrimary ? 'PK' : '', isForeign ? 'FK' : ''].filter(Boolean).join(', ');
      const word = mermaidWord(column);
      // The comment has what the word leaves out.
      const notes = [word === column ? '' : column, isNotNull ? 'NOT NULL' : ''].filter(Boolean).join(', ');
      const parts = [mermaidWord(type) || 'any', word, marks, notes === '' ? '' : mermaidQuoted(notes)];
      return `    ${parts.filter(Boolean).join(' ')}`;
    }),
    '  }',
  ]);
  const relations = edges.map(({ key, from, to }) => {
    const child = key.isUnique ? '|o' : '}o';
    const parent = key.isRequired ? '||' : 'o|';
    return `  ${mermaidQuoted(from.name)} ${child}--${parent} ${mermaidQuoted(to.name)} : ${mermaidQuoted(key.columns.join(', '))}`;
  });
  return ['erDiagram', ...entities, ...relations, ''].join('\n');
}

/** DBML has no escape for quotes in names. */
const dbmlName = (text: string): string => `"${text.replaceAll(/["\p{Cc}]/gu, '_')}"`;

/** Database Markup Language: https://dbml.dbdiagram.io/docs */
export function dbmlOf({ nodes, edges }: TableGraph): string {
  const tables = nodes.map(({ name, table }) => {
    const primary = table?.columns.filter(({ isPrimary }) => isPrimary) ?? [];
    const columns = (table?.columns ?? []).map(({ name: column, type, isPrimary, isNotNull }) => {
      const notes = [isPrimary && primary.length === 1 ? 'pk' : '', isNotNull ? 'not null' : ''].filter(Boolean);
      const settings = notes.length > 0 ? ` [${notes.join(', ')}]` : '';
      return `  ${dbmlName(column)} ${dbmlName(type || 'any')}${settings}`;
    });
    // A table without columns is an error.
    if (columns.length === 0) columns.push(...missingColumns(edges, name).map(column => `  ${dbmlName(column)} "any"`));
    const key = primary.map(({ name: column }) => dbmlName(column)).join(', ');
    const indexes = primary.length > 1 ? ['', '  indexes {', `    (${key}) [pk]`, '  }'] : [];
    return [`Table ${dbmlName(name)} {`, ...columns, ...indexes, '}', ''].join('\n');
  });
  const references = edges.map(
    ({ key, from, to }) =>
      `Ref: ${dbmlEnd(from, key.columns)} ${key.isUnique ? '-' : '>'} ${dbmlEnd(to, targetsOf(key))}`,
  );
  return [...tables, ...references, ''].join('\n');
}

function dbmlEnd({ name }: GraphTable, columns: readonly string[]): string {
  const names = columns.map(dbmlName);
  return `${dbmlName(name)}.${names.length === 1 ? names[0] : `(${names.join(', ')})`}`;
}

/** A missing table has the columns that keys name, or those of the keys without names. */
const targetsOf = ({ columns, targets }: DiagramKey): readonly string[] => (targets.length > 0 ? targets : columns);

const missingColumns = (edges: readonly KeyEdge[], name: string): string[] => {
  const columns = new Set(edges.filter(({ to }) => to.name === name).flatMap(({ key }) => targetsOf(key)));
  return columns.size > 0 ? [...columns] : ['id'];
};

/** A foreign key in words, with its cardinality. */
export function keySentence({ key, from, to, isNew }: KeyEdge): string {
  const own = `${visibleText(from.name)} (${visibleText(key.columns.join(', '))})`;
  const other = `${visibleText(to.name)} (${visibleText(targetsOf(key).join(', '))})`;
  const reference = to.table ? t('{0} refers to {1}', own, other) : t('{0} refers to {1} (missing)', own, other);
  const sentence = `${reference}: ${cardinalityText(key)}`;
  return isNew ? t('{0} (new)', sentence) : sentence;
}

function cardinalityText({ isRequired, isUnique }: DiagramKey): string {
  if (isUnique) return isRequired ? t('at most one row for one') : t('at most one row for one or none');
  return isRequired ? t('any number of rows for one') : t('any number of rows for one or none');
}

const columnsLabel = (count: number): string => (count === 1 ? t('1 column') : t('{0} columns', formatCount(count)));

const maxNames = 6;

const namesOf = (tables: readonly Pick<GraphTable, 'name'>[]): string =>
  shortList([...new Set(tables.map(({ name }) => visibleText(name)))], maxNames);

interface SummaryParts {
  readonly shown: TableGraph;
  readonly whole: TableGraph;
  readonly hiddenCount: number;
  readonly state: DiagramState | undefined;
}

/** The size of the shown part, and the tables that the last change of the schema added, changed or removed. */
export function summaryOf({ shown: { nodes, edges }, whole, hiddenCount, state }: SummaryParts): string {
  const present = new Set(state?.tables?.map(({ name }) => name));
  const added = whole.nodes.filter(({ change }) => change?.isNew);
  const changed = whole.nodes.filter(({ change }) => change && !change.isNew);
  const removed = (state?.earlierTables ?? []).filter(({ name }) => !present.has(name));
  const parts = [
    nodes.length === 1 ? t('1 table') : t('{0} tables', formatCount(nodes.length)),
    edges.length === 1 ? t('1 foreign key') : t('{0} foreign keys', formatCount(edges.length)),
    hiddenCount > 0 ? t('{0} hidden', formatCount(hiddenCount)) : '',
    added.length > 0 ? t('New: {0}', namesOf(added)) : '',
    changed.length > 0 ? t('Changed: {0}', namesOf(changed)) : '',
    removed.length > 0 ? t('Removed: {0}', namesOf(removed)) : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

function changeText(change: GraphTable['change']): string {
  if (!change) return '';
  if (change.isNew) return t('New');
  const columns = [...change.columns].map(name => ({ name }));
  return columns.length > 0 ? t('Changed: {0}', namesOf(columns)) : t('Changed');
}

/** A table in words, for the line below the diagram and for screen readers. */
export function tableSentence({ name, table, change }: GraphTable, edges: readonly KeyEdge[]): string {
  const to = edges.filter(edge => edge.from.name === name).map(edge => edge.to);
  const by = edges.filter(edge => edge.to.name === name).map(edge => edge.from);
  const parts = [
    table ? `${visibleText(name)}, ${columnsLabel(table.columns.length)}` : t('{0} does not exist', visibleText(name)),
    changeText(change),
    to.length > 0 ? t('refers to {0}', namesOf(to)) : '',
    by.length > 0 ? t('referred to by {0}', namesOf(by)) : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

/** All tables and keys in words. */
export const sentencesOf = ({ nodes, edges }: TableGraph): string[] => [
  ...nodes.map(node => tableSentence(node, edges)),
  ...edges.map(keySentence),
];
