/** What tells the statement of one tab from that of another. */
export interface TabStatement {
  readonly project: string;
  readonly text: string;
  /** The document that it stands in, and where it begins there. */
  readonly document: string | undefined;
  readonly start: number | undefined;
  /** Whether it still stands there as it was run. */
  readonly stands: boolean;
}

export interface ResultTab {
  readonly id: string;
  readonly statement: TabStatement;
  isPinned: boolean;
  readonly isUnderWay: boolean;
  /** Whether nothing may end it but somebody who knows what that means. */
  readonly isWriting: boolean;
}

/**
 * The results that somebody can choose from, in their order. A statement that is run again takes the place of its own
 * result, unless that is pinned; of those that are not, only so many are kept.
 */
export class ResultTabs<T extends ResultTab> {
  readonly #tabs: T[] = [];
  /** By when they were shown last, the latest last. */
  #shown: T[] = [];

  get all(): readonly T[] {
    return this.#tabs;
  }

  /** The one in front. */
  get active(): T | undefined {
    return this.#shown.at(-1);
  }

  find(id: string): T | undefined {
    return this.#tabs.find(tab => tab.id === id);
  }

  /** Adds a tab and gives those that leave for it. It comes to the front, unless told otherwise and there is another. */
  add(tab: T, { keep, inFront }: { readonly keep: number; readonly inFront: boolean }): T[] {
    const replaced = this.#formerOf(tab);
    const wasActive = replaced !== undefined && replaced === this.active;
    if (replaced) this.replace(replaced, tab);
    else this.append(tab);
    if (inFront || wasActive) this.select(tab);
    const left = this.#leaving(tab, keep);
    for (const one of left) this.remove(one);
    return replaced ? [replaced, ...left] : left;
  }

  /** Adds a tab behind all others. None leaves for it, also no newer one of its statement. */
  append(tab: T): void {
    this.#tabs.push(tab);
    this.#shown.unshift(tab);
  }

  /** Puts a tab where another one stood. */
  replace(former: T, tab: T): void {
    this.#tabs[this.#tabs.indexOf(former)] = tab;
    this.#shown = this.#shown.map(one => (one === former ? tab : one));
  }

  select(tab: T): void {
    this.#shown = [...this.#shown.filter(one => one !== tab), tab];
  }

  /** What was looked at before comes to the front in its place. */
  remove(tab: T): void {
    const at = this.#tabs.indexOf(tab);
    if (at !== -1) this.#tabs.splice(at, 1);
    this.#shown = this.#shown.filter(one => one !== tab);
  }

  /** The result that stands where the new one's statement does; else one of its text that has lost its place. */
  #formerOf({ statement }: T): T | undefined {
    const { project, document, start, text } = statement;
    const others = this.#tabs.filter(({ isPinned, isWriting, statement: other }) => {
      return !isPinned && !isWriting && other.project === project && other.document === document;
    });
    const there = start === undefined ? undefined : others.find(other => other.statement.start === start);
    return there ?? others.find(({ statement: other }) => other.text === text && !other.stands);
  }

  /** The oldest go first, and none whose statement still runs: that would end it unasked. */
  #leaving(added: T, keep: number): T[] {
    const unpinned = this.#tabs.filter(({ isPinned }) => !isPinned);
    const others = unpinned.filter(tab => tab !== added && !tab.isUnderWay);
    return others.slice(0, Math.max(0, unpinned.length - keep));
  }
}
