import type { Project } from '../../client/index.ts';
import { readTableDesign } from '../../model/shaping/readTableDesign.ts';
import { readSchemaEntries, type SchemaEntry } from '../../model/catalog/schemaEntries.ts';
import { type DesignRefusal, newTableDesign } from '../../model/shaping/tableDesign.ts';
import type { DesignDraft, SharedDraft, TableDesign } from '../../protocol/tableDesign.ts';
import { freeName } from '../../sql/text/freeNames.ts';
import { isSameName } from '../../sql/text/names.ts';
import { withFormerIds } from '../../model/shaping/designIds.ts';
import { canonical, isSameDesign, draftedDesign } from './designPlan.ts';

/** A table as it is in its project, and the schema around it. A new table has no design before it is created. */
export class DesignedTable {
  readonly #project: () => Pick<Project, 'stream'>;
  readonly #proposal: TableDesign | undefined;
  /** Undefined for a new table. */
  name: string | undefined;
  /** The design that changes start from. Undefined for a new table. */
  base: TableDesign | undefined;
  schema: readonly SchemaEntry[] = [];

  constructor(project: () => Pick<Project, 'stream'>, name: string | undefined, proposal?: TableDesign) {
    this.#project = project;
    this.name = name;
    this.#proposal = proposal;
  }

  /** The design of a new table before the first edit. */
  newDesign(): TableDesign {
    const names = this.schema.map(entry => entry.name);
    return canonical(this.#proposal ?? newTableDesign(freeName('new_table', names)));
  }

  /** Reads the schema and the table. Says why the table cannot be designed; undefined if it can. */
  async read(): Promise<DesignRefusal | undefined> {
    this.schema = await readSchemaEntries(this.#project());
    if (this.name === undefined) return undefined;
    const design = readTableDesign(this.schema, this.name);
    if (typeof design === 'string') return design;
    this.base = canonical(design);
    return undefined;
  }

  /** Columns and indexes keep their ids, so that a draft still means the same ones. A created table has no former design. */
  keepIds(formerDesign: TableDesign | undefined, draft: TableDesign): void {
    if (this.base) this.base = withFormerIds(this.base, formerDesign ?? draft, draft);
  }

  /** Reads the schema again. Says whether the statements of the table, its indexes or triggers have changed. */
  async hasChanged(): Promise<boolean> {
    const statementsBefore = this.#ownStatements();
    this.schema = await readSchemaEntries(this.#project());
    if (this.name === undefined || !this.base) return false;
    const design = readTableDesign(this.schema, this.name);
    if (typeof design === 'string' || this.#ownStatements() !== statementsBefore) return true;
    return !isSameDesign(withFormerIds(canonical(design), this.base, this.base), this.base);
  }

  #ownStatements(): string {
    const { name = '' } = this;
    return JSON.stringify(this.schema.filter(({ table }) => isSameName(table, name)));
  }
}

export class EditedDesign {
  /** The design before the first edit. */
  untouched: TableDesign | undefined;
  draft: SharedDraft | undefined;
  /** Called to keep edits that the page made before it got the latest design. Undefined if they are dropped. */
  #keepCrossed: (() => void) | undefined;

  get design(): TableDesign | undefined {
    return this.draft && draftedDesign(this.draft);
  }

  get isDirty(): boolean {
    return this.draft !== undefined && !isSameDesign(this.design, this.untouched);
  }

  /** Gives the page another design. Edits that the page makes before it arrives are kept with `keepCrossed`, or dropped without. */
  give(design: TableDesign, keepCrossed?: () => void): void {
    this.untouched = design;
    this.draft = {
      design,
      typedName: undefined,
      givenNumber: (this.draft?.givenNumber ?? 0) + 1,
      editCount: keepCrossed && this.draft?.editCount,
    };
    this.#keepCrossed = keepCrossed;
  }

  /** Goes on with the draft of an earlier window. */
  restore(draft: DesignDraft): void {
    this.draft = { ...draft, givenNumber: this.draft?.givenNumber ?? 0, editCount: undefined };
  }

  /** Takes the draft of the page. Returns true if the page edited it before it got the latest design, and the edits are kept. */
  take(draft: SharedDraft): boolean {
    const hasCrossed = draft.givenNumber !== this.draft?.givenNumber;
    if (hasCrossed && !this.#keepCrossed) return false;
    this.draft = draft;
    if (!hasCrossed) return false;
    this.#keepCrossed?.();
    this.#keepCrossed = undefined;
    return true;
  }
}
