import type { AstNode, ColumnDefinition, Expr, IndexedColumn, Name, Select } from 'sqlite3-parser';
import type { Visited } from '../parser/walk.ts';
import { isNatural, sourcesOf } from '../scope/query.ts';
import type { Scope } from '../scope/scope.ts';
import type { Source } from '../scope/sources.ts';
import { isSameName } from '../text/names.ts';
import { tableColumn } from './nameResolver.ts';
import type { OccurrenceList } from './occurrences.ts';
import type { OccurrenceRole } from './symbol.ts';

/** Reads the names of columns and of results. */
export class ColumnNames {
  readonly #list: OccurrenceList;
  /** Terms of ORDER BY that are a name, with their query. SQLite first looks for an alias of the results there. */
  readonly #orderTerms = new Map<AstNode, Select>();
  readonly #readJoins = new Set<readonly Source[]>();

  constructor(list: OccurrenceList) {
    this.#list = list;
  }

  read(visited: Visited): void {
    const { node, parent } = visited;
    switch (node.type) {
      case 'Id':
        return this.#addColumn(node, node.name, node, visited);
      case 'NameExpr':
        return this.#addColumn(node.name, node.name.text, node, visited);
      case 'QualifiedExpr': {
        const scope = this.#list.scopeAt(visited);
        const { source, symbol } = this.#list.resolver.qualifiedColumn(node.table.text, node.column.text, scope);
        this.#list.add(node.table, [source && this.#list.resolver.source(source)]);
        return this.#list.add(node.column, [symbol], 'read', { source });
      }
      case 'ExprResultColumn':
        return (
          node.alias &&
          this.#list.add(node.alias.name, [this.#list.resolver.result(node.alias.name, node.expr)], 'declaration')
        );
      case 'Select':
        for (const { expr } of node.orderBy ?? []) this.#orderTerms.set(withoutCollation(expr), node);
        return;
      case 'InsertStmt':
        return this.#addTargetColumns(node.columns, visited, 'write');
      case 'InsertTriggerCmd':
      case 'SetAssignment':
        return this.#addTargetColumns(node.colNames, visited, 'write');
      case 'UpdateOfTriggerEvent':
        return this.#addTargetColumns(node.columns, visited);
      case 'UsingJoinConstraint':
        for (const name of node.columns) {
          const [level = []] = this.#list.scopeAt({ node: name, parent: visited }).levels;
          const { symbols, source } = this.#list.resolver.mergedColumn(level, name.text);
          this.#list.add(name, symbols, 'read', { source });
        }
        return;
      case 'IndexedColumn':
        return this.#addListedColumn(node, parent?.node, visited);
      case 'ColumnDefinition':
        return this.#addDefinedColumn(node, visited);
      case 'RenameColumnAlterTableBody': {
        this.#addTargetColumns([node.old], visited, 'write');
        const table = this.#list.scopeAt(visited).target?.table;
        const column = table === undefined ? undefined : tableColumn(table, node.new.text);
        return this.#list.add(node.new, [column], 'declaration');
      }
      case 'DropColumnAlterTableBody':
      case 'DropColumnNotNullAlterTableBody':
      case 'SetColumnNotNullAlterTableBody':
        return this.#addTargetColumns([node.column], visited, 'write');
      case 'TypedJoinJoinOperator':
        return isNatural(node) ? this.#addNaturalJoin(node, this.#list.scopeAt(parent!)) : undefined;
      default:
    }
  }

  /** NATURAL JOIN merges columns without naming them. Renaming one would change the join. */
  #addNaturalJoin(operator: AstNode, { fromSources = [] }: Scope): void {
    if (this.#readJoins.has(fromSources)) return;
    this.#readJoins.add(fromSources);
    const merged = new Set(fromSources.flatMap(({ mergedColumns }) => [...mergedColumns]));
    for (const key of merged) {
      this.#list.addImplied(operator, this.#list.resolver.mergedColumn(fromSources, key).symbols);
    }
  }

  /** `name` is the node with the text, and `expr` the whole expression. */
  #addColumn(name: AstNode, text: string, expr: AstNode, visited: Visited): void {
    // A repair inserts names without a length.
    if (name.span.length === 0) return;
    if (visited.parent?.node.type === 'GeneratedColumnConstraint' && visited.parent.node.typ === name) return;
    const scope = this.#list.scopeAt(visited);
    const select = this.#orderTerms.get(expr);
    const found =
      (select?.compounds && this.#columnOfCompound(text, select, scope)) ??
      this.#list.resolver.column(text, scope, select !== undefined);
    this.#list.add(name, found.symbols, 'read', { source: found.source });
  }

  /** ORDER BY of a compound query names an alias or a column of the first query that has it. */
  #columnOfCompound(name: string, { select, compounds = [] }: Select, { names }: Scope) {
    for (const query of [select, ...compounds.map(compound => compound.select)]) {
      if (query.type !== 'SelectFrom') continue;
      const alias = query.columns.find(
        column => column.type === 'ExprResultColumn' && column.alias && isSameName(column.alias.name.text, name),
      );
      if (alias?.type === 'ExprResultColumn') {
        return { symbols: [this.#list.resolver.result(alias.alias!.name, alias.expr)] };
      }
      const found = this.#list.resolver.columnIn(sourcesOf(query.from, names), name);
      if (found) return found;
    }
    return undefined;
  }

  #addTargetColumns(names: readonly Name[] | undefined, visited: Visited, role: OccurrenceRole = 'read'): void {
    if (!names || names.length === 0) return;
    const { target } = this.#list.scopeAt({ node: names[0]!, parent: visited });
    for (const name of names) {
      this.#list.add(name, [target && this.#list.resolver.columnOf(target, name.text)], role, {
        source: target,
      });
    }
  }

  /** A column in the list of a common table, a view or a foreign key. */
  #addListedColumn({ colName }: IndexedColumn, owner: AstNode | undefined, visited: Visited): void {
    switch (owner?.type) {
      case 'CommonTableExpr':
        return this.#list.add(colName, [this.#list.resolver.symbolOf({ name: colName }, colName.text)], 'declaration');
      case 'CreateViewStmt':
        return this.#list.add(colName, [tableColumn(owner.viewName.objName.text, colName.text)], 'declaration');
      case 'ForeignKeyTableConstraint':
        return this.#addTargetColumns([colName], visited);
      case 'ForeignKeyClause': {
        const table = this.#list.tableNamed(owner.tblName.text, visited);
        return this.#list.add(colName, [tableColumn(table.name, colName.text)]);
      }
      default:
    }
  }

  #addDefinedColumn({ colName }: ColumnDefinition, visited: Visited): void {
    const table = this.#list.scopeAt(visited).target?.table;
    if (table !== undefined) this.#list.add(colName, [tableColumn(table, colName.text)], 'declaration');
  }
}

function withoutCollation(expr: Expr): Expr {
  let inner = expr;
  while (inner.type === 'CollateExpr') inner = inner.expr;
  return inner;
}
