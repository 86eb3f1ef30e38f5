import type { DesignDraft, SharedDraft, TableDesign } from '../../protocol/tableDesign.ts';
import { draftedDesign, isSameDesign } from './designPlan.ts';

/** The draft of the user, beside the design before the first edit. */
export class EditedDesign {
  /** The design before the first edit. */
  untouched: TableDesign | undefined;
  #draft: SharedDraft | undefined;
  /** Keeps a draft whose last edits crossed with the design that the page was given. Undefined if these are to be dropped. */
  #keepCrossed: (() => void) | undefined;

  get draft(): SharedDraft | undefined {
    return this.#draft;
  }

  /** The design as the draft shows it. */
  get design(): TableDesign | undefined {
    return this.#draft && draftedDesign(this.#draft);
  }

  /** Whether the draft differs from the table. */
  get isDirty(): boolean {
    return this.#draft !== undefined && !isSameDesign(this.design, this.untouched);
  }

  /** Gives the page another design. Edits that it has made meanwhile are kept with `keepCrossed`, or dropped without it. */
  give(design: TableDesign, keepCrossed?: () => void): void {
    this.untouched = design;
    this.#draft = {
      design,
      typedName: undefined,
      givenNumber: (this.#draft?.givenNumber ?? 0) + 1,
      editCount: keepCrossed && this.#draft?.editCount,
    };
    this.#keepCrossed = keepCrossed;
  }

  /** Goes on with the draft of an earlier window. */
  restore(draft: DesignDraft): void {
    this.#draft = { ...draft, givenNumber: this.#draft?.givenNumber ?? 0, editCount: undefined };
  }

  /** Takes the draft of the page. Returns true if its edits had crossed with a design, and are kept. */
  take(draft: SharedDraft): boolean {
    const hasCrossed = draft.givenNumber !== this.#draft?.givenNumber;
    if (hasCrossed && !this.#keepCrossed) return false;
    this.#draft = draft;
    if (!hasCrossed) return false;
    this.#keepCrossed?.();
    this.#keepCrossed = undefined;
    return true;
  }
}
