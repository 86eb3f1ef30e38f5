import type { AstNode } from 'sqlite3-parser';
import type { SchemaColumn } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import type { Scope } from './scope.ts';
import { columnOfSource, type Source } from './sources.ts';

/** A name that may be a column, with the qualifier before it. */
export interface ColumnReference {
  readonly qualifier?: string;
  readonly name: string;
}

export interface FoundColumn {
  readonly source: Source;
  readonly column: SchemaColumn;
}

/** Undefined for a node that is not the name of a column. */
export function columnReferenceOf(node: AstNode): ColumnReference | undefined {
  switch (node.type) {
    case 'Id':
      return { name: node.name };
    case 'NameExpr':
      return { name: node.name.text };
    case 'QualifiedExpr':
      return { qualifier: node.table.text, name: node.column.text };
    default:
      return undefined;
  }
}

/**
 * The columns that the name at a node may stand for, in the innermost query that has any. Several are ambiguous. A column
 * that a join merges counts once.
 */
export function columnsNamed(node: AstNode, { levels }: Scope): FoundColumn[] {
  const reference = columnReferenceOf(node);
  if (!reference) return [];
  for (const sources of levels) {
    const found = columnsInSources(reference, sources);
    if (found.length > 0) return found;
  }
  return [];
}

function columnsInSources({ qualifier, name }: ColumnReference, sources: readonly Source[]): FoundColumn[] {
  return sources.flatMap(source => {
    const isVisible = qualifier === undefined ? !source.qualifiedOnly : isSameName(source.alias, qualifier);
    const column = isVisible ? columnOfSource(source, name) : undefined;
    if (!column || (qualifier === undefined && source.mergedColumns.has(keyOf(column.name)))) return [];
    return [{ source, column }];
  });
}
