import { t } from '@vscode/l10n';
import type { DesignFault } from '../../src/protocol/designer.ts';
import type { TableDesign } from '../../src/protocol/tableDesign.ts';
import { element } from '../ui/element.ts';
import { ColumnTable } from './columnTable.ts';
import { createCheckList, createIndexList, createPrimaryKeyCard, createUniqueKeyList } from './cardLists.ts';
import type { DraftEditor } from './draftEditor.ts';
import { CheckField, fieldsIn, TextField } from '../ui/field.ts';
import { createForeignKeyList } from './foreignKeyList.ts';

export interface FormParts {
  readonly draft: DraftEditor;
  readonly tables: () => readonly string[];
  /** Empty until the host has answered. Then the form is updated. */
  readonly columnsOf: (table: string) => readonly string[];
  /** Adds a column after another one, or without `after` at the end. Focuses it. */
  readonly addColumn: (after: string | undefined) => Promise<void>;
  /** Focuses the neighbour of the removed column. */
  readonly removeColumn: (id: string) => Promise<void>;
  /** Shows the latest faults in fields that were created later. */
  readonly showFaults: () => void;
}

type DesignFormOptions = Pick<FormParts, 'draft' | 'tables' | 'columnsOf'>;

/** Keeps the element of a field while its part exists, so that the field keeps the focus. */
export class DesignForm {
  readonly root = element('div', 'form');
  readonly #options: DesignFormOptions;
  readonly #name: TextField;
  readonly #columns: ColumnTable;
  /** Their fields refresh themselves. */
  readonly #parts: readonly { update(): void }[];
  readonly #triggers = element('p', 'help');
  #faults: readonly DesignFault[] = [];

  constructor(options: DesignFormOptions) {
    this.#options = options;
    const { draft } = options;
    const parts: FormParts = {
      ...options,
      addColumn: after => this.#addColumn(after),
      removeColumn: id => this.#removeColumn(id),
      showFaults: () => this.showFaults(this.#faults),
    };
    this.#name = new TextField({
      label: t('Table name'),
      place: 'name',
      read: () => draft.nameOf(undefined, draft.design.name),
      onInput: name => draft.typeName({ id: undefined, name }),
      onLeave: () => void draft.commitName(),
    });
    const strictField = new CheckField({
      label: t('STRICT'),
      place: 'strict',
      read: () => draft.design.strict,
      help: t('Values must have the types of their columns.'),
      onChange: strict => draft.edit(design => ({ ...design, strict })),
    });
    const withoutRowidField = new CheckField({
      label: t('WITHOUT ROWID'),
      place: 'withoutRowid',
      read: () => draft.design.withoutRowid,
      help: t('Rows are stored by their primary key.'),
      onChange: withoutRowid => draft.edit(design => ({ ...design, withoutRowid })),
    });
    this.#columns = new ColumnTable(parts);
    const sections = [
      createUniqueKeyList(parts),
      createCheckList(parts),
      createForeignKeyList(parts),
      createIndexList(parts),
    ];
    const primaryKey = createPrimaryKeyCard(parts);
    this.#parts = [this.#columns, primaryKey, ...sections];
    this.#triggers.textContent = t('The triggers of the table stay as they are. Change them with SQL.');
    const head = element('div', 'table-fields', [this.#name.root, strictField.root, withoutRowidField.root]);
    this.root.append(
      ...suggestionLists(),
      head,
      this.#columns.root,
      ...sections.map(({ root }) => root),
      this.#triggers,
    );
    sections[0]?.root.querySelector('h2')?.after(primaryKey.root);
  }

  update(): void {
    for (const part of this.#parts) part.update();
    for (const field of fieldsIn(this.root)) field.refresh();
    this.#triggers.hidden = this.#options.draft.design.triggers.length === 0;
  }

  /** Selects the proposed name, so that typing replaces it. */
  focus(): void {
    this.#name.control.focus();
    this.#name.control.select();
  }

  showFaults(faults: readonly DesignFault[]): void {
    this.#faults = faults;
    const byPlace = new Map(faults.map(({ place, message }) => [place, message]));
    for (const field of fieldsIn(this.root)) field.fault = byPlace.get(field.place) ?? '';
  }

  /** Focuses the field of a fault. Opens closed details first. */
  focusPlace(place: string): void {
    const [section, id = ''] = place.split('/');
    const find = () => fieldsIn(this.root).find(field => field.place === place && isShown(field.root));
    if (!find() && section === 'columns') this.#columns.openDetails(id);
    find()?.control.focus();
  }

  async #addColumn(after: string | undefined): Promise<void> {
    const { draft } = this.#options;
    const idsBefore = new Set(draft.design.columns.map(({ id }) => id));
    await draft.change({ kind: 'addColumn', after });
    const added = draft.design.columns.find(({ id }) => !idsBefore.has(id));
    if (added) this.#columns.focusColumn(added.id);
  }

  async #removeColumn(id: string): Promise<void> {
    const { draft } = this.#options;
    const index = draft.design.columns.findIndex(column => column.id === id);
    await draft.change({ kind: 'removeColumn', id });
    const { columns } = draft.design;
    const next = columns[index] ?? columns.at(-1);
    if (next) this.#columns.focusColumn(next.id);
    else this.#columns.focusAdd();
  }
}

const isShown = (part: HTMLElement): boolean => part.offsetParent !== null;

/** Proposals of fields, by the ids of their lists. A field takes any other text, too. */
const suggestions = {
  'column-types': ['INTEGER', 'TEXT', 'REAL', 'BLOB', 'NUMERIC', 'ANY'],
  'default-values': ["''", '0', '1', 'CURRENT_TIMESTAMP', 'CURRENT_DATE', 'CURRENT_TIME'],
  collations: ['BINARY', 'NOCASE', 'RTRIM'],
} as const;

function suggestionLists(): HTMLElement[] {
  return Object.entries(suggestions).map(([id, values]) => {
    const list = element('datalist', '', { id });
    list.append(...values.map(value => new Option('', value)));
    return list;
  });
}

interface OtherTablesOptions {
  readonly columnsOf: (table: string) => Promise<readonly string[]>;
  /** The designed table. It may refer to itself. */
  readonly ownDesign: () => TableDesign;
  readonly onChange: () => void;
}

/** The columns of other tables. Asks the host once for each table. */
export function createOtherTables({ columnsOf: fetchColumns, ownDesign, onChange }: OtherTablesOptions) {
  const known = new Map<string, readonly string[]>();
  const fetch = async (table: string): Promise<void> => {
    try {
      known.set(table, await fetchColumns(table));
      onChange();
    } catch {
      // The next update of the form requests the columns again.
      known.delete(table);
    }
  };
  const columnsOf = (table: string): readonly string[] => {
    const { name, columns } = ownDesign();
    if (table === '') return [];
    if (table === name) return columns.map(column => column.name);
    const knownColumns = known.get(table);
    if (knownColumns) return knownColumns;
    known.set(table, []);
    void fetch(table);
    return [];
  };
  return { columnsOf, forget: () => known.clear() };
}
