import { cutText, oneLine } from '../../base/oneLine.ts';
import type { Signature } from '../functions/builtInFunctions.ts';
import type { SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { DescribedTable, Proposal } from './proposals.ts';

/** A wider table is shown in part. */
const maxColumns = 40;
/** A longer text of a proposal is cut. */
const maxTextLength = 2000;

/** What an editor shows beside a proposal, in Markdown. Undefined if the label says it all. */
export function documentationOf({ subject, kind, insert }: Proposal): string | undefined {
  switch (subject?.kind) {
    case 'function':
      return subject.function.signatures.map(signatureDocumentation).join('\n\n');
    case 'column':
      return code(declarationOf(subject.column, subject.table, subject.table?.name));
    case 'table':
      return code(tableText(subject.table));
    default:
      return kind === 'columnList' || kind === 'snippet' ? code(cutText(insert, maxTextLength)) : undefined;
  }
}

/** Descriptions have no names of users, but signs that Markdown may take for its own. */
const signatureDocumentation = ({ label, result, description }: Signature): string =>
  `${code(`${label} → ${result}`)}\n${description.replaceAll(/[\\`*_{}[\]()#+\-.!|<>~]/g, String.raw`\$&`)}`;

/** A block of code. Its fence is longer than every row of backticks in it, so that it cannot end early. */
function code(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sql\n${text}\n${fence}`;
}

function tableText(table: DescribedTable): string {
  const { name, columns } = table;
  const schemaTable = 'kind' in table ? table : undefined;
  const lines = columns.slice(0, maxColumns).map(column => declarationOf(column, schemaTable));
  const primaryKey = schemaTable?.primaryKey ?? [];
  if (primaryKey.length > 1) lines.push(`PRIMARY KEY (${primaryKey.map(nameText).join(', ')})`);
  const more = columns.length > maxColumns ? [`-- and ${columns.length - maxColumns} more columns`] : [];
  const body = lines.map((line, index) => `  ${line}${index < lines.length - 1 ? ',' : ''}`);
  return [`${nameText(name)} (`, ...body, ...more.map(line => `  ${line}`), ')'].join('\n');
}

/** A column as CREATE TABLE declares it. */
function declarationOf(column: SchemaColumn, table: SchemaTable | undefined, qualifier?: string): string {
  const { name, type, generated } = column;
  const parts = [qualifier === undefined ? nameText(name) : `${nameText(qualifier)}.${nameText(name)}`];
  if (type !== '') parts.push(oneLine(type));
  const { primaryKey = [], foreignKeys = [] } = table ?? {};
  if (primaryKey.length === 1 && isSameName(primaryKey[0]!, name)) parts.push('PRIMARY KEY');
  if (generated) parts.push('GENERATED');
  for (const { columns, table: target, references } of foreignKeys) {
    const position = columns.findIndex(other => isSameName(other, name));
    if (position === -1) continue;
    const reference = references[position];
    parts.push(`REFERENCES ${nameText(target)}${reference === undefined ? '' : `(${nameText(reference)})`}`);
  }
  return parts.join(' ');
}

const nameText = (name: string): string => oneLine(quoteIdentifierIfNeeded(name));
