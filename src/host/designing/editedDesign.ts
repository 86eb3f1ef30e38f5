import type { DesignDraft, SharedDraft, TableDesign } from '../../protocol/tableDesign.ts';
import { draftedDesign, isSameDesign } from './designPlan.ts';

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
