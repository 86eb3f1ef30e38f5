import { foldAscii } from '../../src/base/foldAscii.ts';
import type { Choice } from '../ui/field.ts';
import type { DesignChange, SharedDraft, TableDesign, TypedName } from '../../src/protocol/tableDesign.ts';

export type DesignEdit = (design: TableDesign) => TableDesign;

interface DraftEditorOptions {
  readonly change: (design: TableDesign, change: DesignChange) => Promise<TableDesign>;
  readonly onChange: () => void;
}

/** The design that the user edits. Simple edits apply at once. The host makes the other changes; edits made meanwhile stay. */
export class DraftEditor {
  readonly #options: DraftEditorOptions;
  #design: TableDesign;
  #typedName: TypedName | undefined;
  /** Resolves when the host has made all changes. Never rejects. */
  #changes: Promise<void> = Promise.resolve();
  /** Edits since the latest change was sent to the host. */
  #editsSince: DesignEdit[] = [];
  /** The last usable names of the table and of columns, whose present names are empty or taken. */
  readonly #usableNames = new Map<string | undefined, string>();
  /** Counts how often another design has replaced the draft. */
  #generation = 0;
  #givenNumber = 0;
  #editCount = 0;

  constructor(design: TableDesign, options: DraftEditorOptions) {
    this.#design = design;
    this.#options = options;
  }

  get design(): TableDesign {
    return this.#design;
  }

  get draft(): SharedDraft {
    return {
      design: this.#design,
      typedName: this.#typedName,
      givenNumber: this.#givenNumber,
      editCount: this.#editCount,
    };
  }

  /** The typed name of a column, or without `id` of the table. */
  nameOf(id: string | undefined, name: string): string {
    return this.#typedName && this.#typedName.id === id ? this.#typedName.name : name;
  }

  columnChoices(): Choice[] {
    return this.#design.columns.map(({ id, name }) => ({ value: id, label: this.nameOf(id, name) }));
  }

  /** Shows another design. If edits crossed with it, they stay, and the host gets them with the next plan. */
  replace({ design, typedName, givenNumber, editCount = this.#editCount }: SharedDraft): void {
    if (editCount < this.#editCount) return this.#options.onChange();
    this.#givenNumber = givenNumber;
    this.#editCount = editCount;
    this.#generation++;
    this.#editsSince = [];
    this.#usableNames.clear();
    this.#design = design;
    this.#typedName = typedName;
    this.#options.onChange();
  }

  edit(edit: DesignEdit): void {
    void this.commitName();
    this.#editCount++;
    this.#editsSince.push(edit);
    this.#design = edit(this.#design);
    this.#options.onChange();
  }

  /** Takes the text of a name field. The design gets the name when the user leaves the field. */
  typeName(typed: TypedName): void {
    this.#editCount++;
    this.#typedName = typed;
    this.#options.onChange();
  }

  /** Renames the column or table, in expressions too. */
  async commitName(): Promise<void> {
    const typed = this.#typedName;
    if (!typed) return;
    this.#typedName = undefined;
    const { id, name } = typed;
    const nameBefore = this.#usableNames.get(id) ?? nameIn(this.#design, id) ?? '';
    // The name shows at once. The host's answer renames it in expressions.
    this.#design = withName(this.#design, typed);
    if (!isUsable(this.#design, typed)) {
      // Expressions keep the former name, so that the next usable name can replace it.
      this.#usableNames.set(id, nameBefore);
      this.#options.onChange();
      return;
    }
    this.#usableNames.delete(id);
    await this.#send(id === undefined ? { kind: 'renameTable', name } : { kind: 'renameColumn', id, name }, design =>
      withName(design, { id, name: nameBefore }),
    );
  }

  /** Resolves when the design has the change. */
  async change(change: DesignChange): Promise<void> {
    await this.commitName();
    await this.#send(change, design => design);
  }

  /** Resolves when the design has every change so far. */
  async settle(): Promise<void> {
    await this.commitName();
    await this.#changes;
  }

  /** `prepare` makes the design that the change starts from. */
  #send(change: DesignChange, prepare: DesignEdit): Promise<void> {
    this.#editCount++;
    this.#changes = this.#sendAfter(this.#changes, change, prepare);
    return this.#changes;
  }

  async #sendAfter(earlier: Promise<void>, change: DesignChange, prepare: DesignEdit): Promise<void> {
    const generation = this.#generation;
    await earlier;
    if (generation !== this.#generation) return;
    this.#editsSince = [];
    let changed: TableDesign;
    try {
      changed = await this.#options.change(prepare(this.#design), change);
    } catch {
      // The caller shows the failure, and the design stays.
      return;
    }
    if (generation !== this.#generation) return;
    this.#editCount++;
    this.#design = this.#editsSince.reduce((design, edit) => edit(design), changed);
    this.#options.onChange();
  }
}

function nameIn({ name, columns }: TableDesign, id: string | undefined): string | undefined {
  return id === undefined ? name : columns.find(column => column.id === id)?.name;
}

function withName(design: TableDesign, { id, name }: TypedName): TableDesign {
  if (id === undefined) return { ...design, name };
  return { ...design, columns: design.columns.map(column => (column.id === id ? { ...column, name } : column)) };
}

function isUsable({ columns }: TableDesign, { id, name }: TypedName): boolean {
  if (name === '') return false;
  return id === undefined || columns.every(column => column.id === id || foldAscii(column.name) !== foldAscii(name));
}
