import { type BrowseState, browseStatePlace } from '../../../src/protocol/browsing.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import { PacedWrite } from '../../ui/pacedWrite.ts';
import { PageMemory } from '../../ui/pageMemory.ts';

/** Scrolling asks for this more often than anybody reloads a window. */
const pauseMs = 200;
const memory = new PageMemory(browseStatePlace.area);

/** Keeps what is needed to open a table again where it was, now and then. */
export class TableMemory {
  readonly #pace = new PacedWrite(() => memory.write(browseStatePlace.key, this.#state), pauseMs);
  #state: BrowseState | undefined;

  /** `row` is the first in view. `atOnce` is for what somebody did who may leave right after it. */
  keep({ runId, columns, arrangement, browsing }: ResultView, row: number, { atOnce = false } = {}): void {
    if (!browsing) return;
    this.#state = { ...browsing.subject, runId, columns: columns.map(({ name }) => name), arrangement, row };
    if (atOnce) this.#pace.now();
    else this.#pace.note();
  }
}
