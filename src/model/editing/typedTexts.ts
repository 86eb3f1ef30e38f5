import type { CellName } from './valueChecks.ts';
import { Emitter } from '../../base/emitter.ts';
import type { CellFault } from './cellProblems.ts';

export interface CellText extends CellName {
  readonly text?: string;
  /** Why the text is no value of the cell. Undefined while its field is open. */
  readonly fault?: CellFault;
}

export interface TypedText extends CellText {
  readonly text: string;
  /** The refused text that the cell had when its field was opened. */
  readonly former?: TypedText | undefined;
}

export interface TextChange extends CellName {
  readonly before: TypedText | undefined;
  readonly after: TypedText | undefined;
}

/** Typed texts that are not values of their cells: the columns refuse them, or their fields are still open. */
export class TypedTexts {
  readonly #byRow = new Map<string, Map<string, TypedText>>();
  readonly #changes = new Emitter<void>();

  readonly onChange = this.#changes.on;

  get all(): TypedText[] {
    return this.#byRow
      .values()
      .flatMap(texts => texts.values())
      .toArray();
  }

  get isEmpty(): boolean {
    return this.#byRow.size === 0;
  }

  of(rowId: string): readonly TypedText[] {
    return [...(this.#byRow.get(rowId)?.values() ?? [])];
  }

  /** Sets or removes the texts of cells. Reverting the change skips the text of an open field. */
  set(cells: readonly CellText[]): readonly TextChange[] {
    const changes = cells.flatMap(({ rowId, column, text, fault }): TextChange[] => {
      const before = this.#byRow.get(rowId)?.get(column);
      const after = text === undefined ? undefined : { rowId, column, text, ...(fault && { fault }) };
      return before || after ? [{ rowId, column, before: before?.fault ? before : before?.former, after }] : [];
    });
    if (changes.length > 0) this.apply(changes);
    return changes;
  }

  apply(changes: readonly TextChange[], isBackwards = false): void {
    for (const { rowId, column, before, after } of changes) {
      const texts = this.#byRow.get(rowId) ?? new Map<string, TypedText>();
      const text = isBackwards ? before : after;
      if (text) texts.set(column, text);
      else texts.delete(column);
      if (texts.size > 0) this.#byRow.set(rowId, texts);
      else this.#byRow.delete(rowId);
    }
    this.#changes.fire();
  }

  /** Keeps the text of an open field. Without a text, restores the one from before the field was opened. */
  hold({ rowId, column, text, fault }: CellText): void {
    const before = this.#byRow.get(rowId)?.get(column);
    const former = before?.fault ? before : before?.former;
    const after = text === undefined ? former : { rowId, column, text, former, ...(fault && { fault }) };
    this.apply([{ rowId, column, before, after }]);
  }

  /** Marks texts whose fields are gone: those of open fields, or of an earlier window. */
  markNotEntered(texts: readonly CellText[] = this.all.filter(({ fault }) => !fault)): void {
    this.set(texts.map(text => ({ ...text, fault: { kind: 'notEntered' } })));
  }

  clear(): void {
    if (this.#byRow.size === 0) return;
    this.#byRow.clear();
    this.#changes.fire();
  }
}
