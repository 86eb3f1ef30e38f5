export interface TabStatement {
  readonly project: string;
  readonly text: string;
  /** The document of the statement, and its position there. */
  readonly document: string | undefined;
  readonly start: number | undefined;
  /** Whether the document still holds the statement as it was run. */
  readonly isUnchanged: boolean;
  /** Whether the tab has the query plan of the statement, not its rows. */
  readonly isPlan: boolean;
}

export interface TabEntry {
  readonly id: string;
  readonly statement: TabStatement;
  isPinned: boolean;
  readonly isUnderWay: boolean;
  /** Whether a write is under way, which only the user may end. */
  readonly isWriting: boolean;
}

/** The tabs of the results panel, in their order. A statement that runs again replaces its own result unless that is pinned. */
export class ResultTabs<T extends TabEntry> {
  readonly #tabs: T[] = [];
  /** The tabs in the order in which they were last shown, the active one last. */
  #history: T[] = [];

  get all(): readonly T[] {
    return this.#tabs;
  }

  get active(): T | undefined {
    return this.#history.at(-1);
  }

  find(id: string): T | undefined {
    return this.#tabs.find(tab => tab.id === id);
  }

  /** The latest result of the same statement, even if it is pinned. */
  predecessorOf({ statement }: T): T | undefined {
    const { start, text } = statement;
    return this.#tabs.findLast(({ statement: other }) => {
      const isSamePlace = start !== undefined && other.start === start;
      return hasSameSource(other, statement) && (isSamePlace || other.text === text);
    });
  }

  /**
   * Adds a tab, and returns the tabs that it removed: the previous result of the statement, and the oldest tabs beyond
   * `maxUnpinned`. The new tab becomes active with `activate`, if it replaces the active one, and if it is the first.
   */
  add(tab: T, { maxUnpinned, activate }: { readonly maxUnpinned: number; readonly activate: boolean }): T[] {
    const former = this.#formerOf(tab);
    const wasActive = former !== undefined && former === this.active;
    if (former) this.replace(former, tab);
    else this.append(tab);
    if (activate || wasActive) this.select(tab);
    const excess = this.#excess(tab, maxUnpinned);
    for (const other of excess) this.remove(other);
    return former ? [former, ...excess] : excess;
  }

  /** Adds a tab at the end and removes none, not even an older result of its statement. */
  append(tab: T): void {
    this.#tabs.push(tab);
    this.#history.unshift(tab);
  }

  replace(former: T, tab: T): void {
    this.#tabs[this.#tabs.indexOf(former)] = tab;
    this.#history = this.#history.map(other => (other === former ? tab : other));
  }

  select(tab: T): void {
    this.#history = [...this.#history.filter(other => other !== tab), tab];
  }

  /** Removes a tab. The one that was active before it becomes active. */
  remove(tab: T): void {
    const index = this.#tabs.indexOf(tab);
    if (index !== -1) this.#tabs.splice(index, 1);
    this.#history = this.#history.filter(other => other !== tab);
  }

  /** The result at the same position of the document, or else one with the same text whose statement was removed. */
  #formerOf({ statement }: T): T | undefined {
    const { start, text } = statement;
    const candidates = this.#tabs.filter(
      ({ isPinned, isWriting, statement: other }) => !isPinned && !isWriting && hasSameSource(other, statement),
    );
    const samePosition = start === undefined ? undefined : candidates.find(other => other.statement.start === start);
    return samePosition ?? candidates.find(({ statement: other }) => other.text === text && !other.isUnchanged);
  }

  /** The oldest tabs beyond the limit. A tab whose run is under way stays: closing it would end the run. */
  #excess(added: T, maxUnpinned: number): T[] {
    const unpinned = this.#tabs.filter(({ isPinned }) => !isPinned);
    const removable = unpinned.filter(tab => tab !== added && !tab.isUnderWay);
    return removable.slice(0, Math.max(0, unpinned.length - maxUnpinned));
  }
}

const hasSameSource = (one: TabStatement, other: TabStatement): boolean =>
  one.isPlan === other.isPlan && one.project === other.project && one.document === other.document;
