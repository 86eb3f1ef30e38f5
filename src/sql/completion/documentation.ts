import { sqlBlock, codeSpan } from '../../base/markdown.ts';
import { cutText } from '../../base/oneLine.ts';
import { functionDocumentation } from '../functions/builtInFunctions.ts';
import { columnFacts, columnLines } from '../symbols/columnFacts.ts';
import type { Proposal, Subject } from './proposals.ts';

const maxTextLength = 2000;

/** The Markdown that an editor shows beside a proposal. Undefined if there is nothing to add to the label. */
export function documentationOf({ subject, kind, insert }: Proposal): string | undefined {
  if (subject) return documentationOfSubject(subject);
  return kind === 'columnList' || kind === 'snippet' ? sqlBlock(cutText(insert, maxTextLength)) : undefined;
}

function documentationOfSubject(subject: Subject): string | undefined {
  switch (subject.kind) {
    case 'function':
      return functionDocumentation(subject.function);
    case 'table': {
      const lines = columnLines(subject.table);
      return lines.length === 0 ? undefined : sqlBlock(lines.join('\n'));
    }
    case 'column': {
      const { column, table } = subject;
      const head = sqlBlock(cutText(`${column.name} ${column.type}`.trim(), maxTextLength));
      if (!table) return head;
      const owner = `${table.kind === 'view' ? 'Column of view' : 'Column of table'} ${codeSpan(table.name)}`;
      return [head, [owner, ...columnFacts(column.name, table, undefined)].join(' · ')].join('\n\n');
    }
  }
}
