import { QueriedTable } from '../schema/queriedTable.ts';
import { Schema } from '../schema/schema.ts';
import type { SchemaObject } from '../shadow/schemaObject.ts';
import type { SchemaState } from '../shadow/schemaState.ts';
import type { SchemaTable, TableLookup } from '../tables/schemaTable.ts';
import { systemTable } from '../tables/systemTables.ts';
import { keyOf } from '../text/names.ts';

/** The tables of a state of the schema. Each is read from its statement when it is first looked up. */
export class StateTables implements TableLookup {
  readonly #state: SchemaState;
  /** Views follow the state, so that each state has its own. */
  readonly #views = new Map<string, SchemaTable>();

  constructor(state: SchemaState) {
    this.#state = state;
  }

  table(name: string): SchemaTable | undefined {
    const key = keyOf(name);
    const view = this.#views.get(key);
    if (view) return view;
    const objects = this.#state.named(key).filter(({ kind }) => kind !== 'index' && kind !== 'trigger');
    // A temporary table hides the other one.
    const object = objects.find(({ database }) => database === 'temp') ?? objects[0];
    const table = object && !object.isUncertain ? tableOf(object) : undefined;
    if (!(table instanceof QueriedTable)) return table ?? systemTable(name);
    const viewInState = table.inSchema(this);
    this.#views.set(key, viewInState);
    return viewInState;
  }
}

const tables = new WeakMap<SchemaObject, { readonly table: SchemaTable | undefined }>();

function tableOf(object: SchemaObject): SchemaTable | undefined {
  const cached = tables.get(object);
  if (cached) return cached.table;
  const table = Schema.of(object.sql).table(object.name);
  tables.set(object, { table });
  return table;
}
