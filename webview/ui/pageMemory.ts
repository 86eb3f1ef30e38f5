import { asRecord } from '../../src/base/decode.ts';
import { vsCodeApi } from './host.ts';

/** The oldest entries beyond this number are forgotten. Nobody keeps as many results open. */
const maxEntries = 30;

/** State that VS Code keeps for a page. VS Code removes a hidden page and loads it anew. */
export class PageMemory {
  readonly #area: string;

  /** `area` separates the state of different parts of a page. */
  constructor(area: string) {
    this.#area = area;
  }

  read(key: string): unknown {
    const entries = this.#entries();
    return Object.hasOwn(entries, key) ? entries[key] : undefined;
  }

  write(key: string, value: unknown): void {
    const others = Object.entries(this.#entries()).filter(([name]) => name !== key);
    const entries: Readonly<Record<string, unknown>> = Object.fromEntries(
      [...others, [key, value] as const].slice(-maxEntries),
    );
    vsCodeApi().setState({ ...asRecord(vsCodeApi().getState()), [this.#area]: entries });
  }

  #entries(): Readonly<Record<string, unknown>> {
    return asRecord(asRecord(vsCodeApi().getState())?.[this.#area]) ?? {};
  }
}
