import { asRecord } from '../../src/base/decode.ts';
import { vsCodeApi } from './vsCodeApi.ts';

/** More results than anybody keeps open; what was remembered longest ago is forgotten. */
const mostEntries = 30;

/** What VS Code keeps for a page while it is hidden, when the page itself is gone. */
export class PageMemory {
  readonly #area: string;

  /** `area` keeps apart what different parts of a page remember. */
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
      [...others, [key, value] as const].slice(-mostEntries),
    );
    vsCodeApi().setState({ ...asRecord(vsCodeApi().getState()), [this.#area]: entries });
  }

  #entries(): Readonly<Record<string, unknown>> {
    return asRecord(asRecord(vsCodeApi().getState())?.[this.#area]) ?? {};
  }
}
