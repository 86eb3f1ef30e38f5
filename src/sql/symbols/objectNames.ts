import type { AstNode, Expr, Name, QualifiedName, SelectFrom } from 'sqlite3-parser';
import type { Visited } from '../parser/walk.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { tableSymbol } from './nameResolver.ts';
import type { OccurrenceList } from './occurrences.ts';
import { localKey, objectKey, type OccurrenceRole, type SqlSymbol } from './symbol.ts';

/** Reads the names of tables, aliases, indexes, triggers, windows, functions and parameters. */
export class ObjectNames {
  readonly #list: OccurrenceList;

  constructor(list: OccurrenceList) {
    this.#list = list;
  }

  read(visited: Visited): void {
    const { node } = visited;
    switch (node.type) {
      case 'TableSelectTable':
        this.#addTable(node.tblName, 'read', visited);
        return this.#addAlias(node.alias?.name, visited);
      case 'TableCallSelectTable':
        this.#addObject('function', node.tblName.objName);
        this.#addPragmaArgument(node.tblName, node.args, visited);
        return this.#addAlias(node.alias?.name, visited);
      case 'SelectSelectTable':
      case 'SubSelectTable':
        return this.#addAlias(node.alias?.name, visited);
      case 'InTableExpr':
        if (!node.args) return this.#addTable(node.rhs, 'read', visited);
        this.#addObject('function', node.rhs.objName);
        return this.#addPragmaArgument(node.rhs, node.args, visited);
      case 'InsertStmt':
      case 'UpdateStmt':
      case 'DeleteStmt':
      case 'InsertTriggerCmd':
      case 'UpdateTriggerCmd':
      case 'DeleteTriggerCmd':
        this.#addTable(node.tblName, 'write', visited);
        return this.#addTargetAlias({ node: node.tblName, parent: visited }, node.tblName.alias);
      case 'CommonTableExpr':
        return this.#addCommonTable(node.tblName, visited);
      case 'CreateTableStmt':
      case 'CreateVirtualTableStmt':
        return this.#addTable(node.tblName, 'declaration', visited);
      case 'CreateViewStmt':
        return this.#addTable(node.viewName, 'declaration', visited);
      case 'DropTableStmt':
      case 'AlterTableStmt':
        return this.#addTable(node.tblName, 'write', visited);
      case 'DropViewStmt':
        return this.#addTable(node.viewName, 'write', visited);
      case 'RenameToAlterTableBody':
        return this.#list.add(node.name, [tableSymbol(node.name.text)], 'declaration');
      case 'AnalyzeStmt':
      case 'ReindexStmt':
        return this.#addTableOrIndex(node.objName, visited);
      case 'PragmaStmt':
        return node.body && this.#addPragmaValue(node.name.objName.text, node.body.value, visited);
      case 'ForeignKeyClause':
        return this.#list.add(node.tblName, [this.#list.tableNamed(node.tblName.text, visited)]);
      case 'CreateIndexStmt':
        this.#addObject('index', node.idxName.objName, 'declaration');
        return this.#list.add(node.tblName, [this.#list.tableNamed(node.tblName.text, visited)]);
      case 'CreateTriggerStmt':
        this.#addObject('trigger', node.triggerName.objName, 'declaration');
        return this.#addTable(node.tblName, 'read', visited);
      case 'DropIndexStmt':
        return this.#addObject('index', node.idxName.objName, 'write');
      case 'DropTriggerStmt':
        return this.#addObject('trigger', node.triggerName.objName, 'write');
      case 'IndexedByIndexed':
        return this.#addObject('index', node.idxName);
      case 'WindowDef':
      case 'NameOver':
        return this.#addWindow(node.name, visited, node.type === 'WindowDef' ? 'declaration' : 'read');
      case 'Window':
        return node.base && this.#addWindow(node.base, visited, 'read');
      case 'FunctionCallExpr':
      case 'FunctionCallStarExpr':
        return this.#list.add(node.name, [objectSymbol('function', keyOf(node.name.name))]);
      case 'VariableExpr':
        return this.#addParameter(node.name, node);
      case 'TableStarResultColumn': {
        const [level = []] = this.#list.scopeAt({ node: node.table, parent: visited }).levels;
        const source = level.find(({ alias }) => isSameName(alias, node.table.text));
        return this.#list.add(node.table, [source && this.#list.resolver.source(source)]);
      }
      default:
    }
  }

  #addTable(name: QualifiedName, role: OccurrenceRole, visited: Visited): void {
    this.#list.add(name.objName, [this.#list.resolver.table(name, this.#list.scopeAt(visited))], role);
  }

  #addAlias(alias: Name | undefined, visited: Visited): void {
    if (!alias) return;
    const siblings = this.#list.scopeAt(visited).fromSources ?? [];
    const source = siblings.find(({ aliasName }) => aliasName === alias);
    this.#list.add(alias, [source && this.#list.resolver.source(source)], 'declaration', { siblings });
  }

  #addTargetAlias(visited: Visited, alias: Name | undefined): void {
    if (!alias || !visited.parent) return;
    const { target } = this.#list.scopeAt(visited);
    const { node } = visited.parent;
    // The alias of an UPDATE is one of the sources that its expressions see.
    const expression = 'sets' in node ? node.sets[0] : undefined;
    const [siblings = []] = expression ? this.#list.scopeAt({ node: expression, parent: visited.parent }).levels : [];
    this.#list.add(alias, [target && this.#list.resolver.source(target)], 'declaration', { siblings });
  }

  #addCommonTable(name: Name, visited: Visited): void {
    const table = { dbName: undefined, objName: name };
    this.#list.add(name, [this.#list.resolver.table(table, this.#list.scopeAt(visited))], 'declaration');
  }

  #addTableOrIndex(name: QualifiedName | undefined, visited: Visited): void {
    if (!name) return;
    const isTable = this.#list.scopeAt(visited).names.find(name) !== undefined;
    if (isTable) this.#addTable(name, 'read', visited);
    else this.#addObject('index', name.objName);
  }

  /** The argument of a pragma in FROM, such as `pragma_table_info('t')`. Without quotes it would be a column. */
  #addPragmaArgument({ objName }: QualifiedName, [argument]: readonly Expr[] = [], visited: Visited): void {
    const pragma = /^pragma_(.+)$/i.exec(objName.text)?.[1];
    if (pragma !== undefined && argument?.type === 'StringLiteral') this.#addPragmaValue(pragma, argument, visited);
  }

  #addPragmaValue(pragma: string, value: Expr, visited: Visited): void {
    const isAboutTable = tablePragmas.has(keyOf(pragma));
    if (!isAboutTable && !indexPragmas.has(keyOf(pragma))) return;
    const add = (node: AstNode, name: string): void => {
      const table = isAboutTable ? this.#list.tableNamed(name, visited) : undefined;
      this.#list.add(node, [table ?? objectSymbol('index', name)]);
    };
    if (value.type === 'NameExpr') add(value.name, value.name.text);
    else if (value.type === 'Id') add(value, value.name);
    else if (value.type === 'StringLiteral') add(value, value.value);
  }

  #addObject(kind: 'function' | 'index' | 'trigger', name: Name, role: OccurrenceRole = 'read'): void {
    this.#list.add(name, [objectSymbol(kind, name.text)], role);
  }

  #addWindow(name: Name, visited: Visited, role: OccurrenceRole): void {
    const definition = queryAround(visited)?.windowClause?.find(window => isSameName(window.name.text, name.text));
    const symbol: SqlSymbol | undefined = definition && {
      kind: 'window',
      name: definition.name.text,
      key: localKey(definition.name.span.offset),
      isLocal: true,
      window: definition.window,
    };
    this.#list.add(name, [symbol], role);
  }

  #addParameter(name: string, node: AstNode): void {
    // Each plain `?` is a parameter of its own.
    const key = name === '?' ? `parameter ${node.span.offset}` : `parameter ${name}`;
    this.#list.add(node, [{ kind: 'parameter', name, key, isLocal: true }]);
  }
}

/** Pragmas whose value is the name of a table. */
const tablePragmas = new Set(
  'table_info table_xinfo table_list index_list foreign_key_list foreign_key_check integrity_check quick_check'.split(
    ' ',
  ),
);

/** Pragmas whose value is the name of an index. */
const indexPragmas = new Set(['index_info', 'index_xinfo']);

const objectSymbol = (kind: 'function' | 'index' | 'trigger', name: string): SqlSymbol => ({
  kind,
  name,
  key: objectKey(kind, name),
  isLocal: false,
});

/** The query whose windows a node may name. */
function queryAround(visited: Visited): SelectFrom | undefined {
  for (let ancestor = visited.parent; ancestor; ancestor = ancestor.parent) {
    const { node } = ancestor;
    if (node.type === 'SelectFrom') return node;
    if (node.type === 'Select') return node.select.type === 'SelectFrom' ? node.select : undefined;
  }
  return undefined;
}
