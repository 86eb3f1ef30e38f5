import type { ResultView } from '../../../src/protocol/results.ts';
import type { TaggedValue } from '../../../src/protocol/shownValues.ts';
import { PageMemory } from '../../ui/host.ts';
import type { HostCalls } from '../hostCalls.ts';
import { chartKeys } from '../input/gridKeys.ts';
import type { ChartView } from './chartView.ts';
import './chart.css';

interface ChartSwitchOptions {
  /** Gets the chart, and the class `charted` while there is one. */
  readonly body: HTMLElement;
  readonly calls: HostCalls;
  readonly view: () => ResultView;
  readonly sample: readonly (readonly TaggedValue[])[];
  readonly onFailed: (thrown: unknown) => void;
  readonly restoreFocus: () => void;
}

const maxRemembered = 200;

/** Shows the chart of a result in place of its rows. The code of charts is loaded with the first one. */
export class ChartSwitch {
  readonly #options: ChartSwitchOptions;
  readonly #memory = new PageMemory('charts', maxRemembered);
  #chart: ChartView | undefined;
  #isLoading = false;

  constructor(options: ChartSwitchOptions) {
    this.#options = options;
  }

  /** Undefined while the rows are shown. */
  get focusTarget(): HTMLElement | undefined {
    return this.#chart?.focusTarget;
  }

  async toggle(isWanted = !this.#chart): Promise<void> {
    if (isWanted === (this.#chart !== undefined) || this.#isLoading) return;
    const { body, view, restoreFocus, onFailed } = this.#options;
    if (!isWanted) this.dispose();
    else {
      this.#isLoading = true;
      try {
        const { ChartView } = await import('./chartView.ts');
        const close = (): void => void this.toggle(false);
        if (!body.isConnected) return;
        this.#chart = new ChartView({ ...this.#options, view: view(), memory: this.#memory, keys: chartKeys, close });
        body.prepend(this.#chart.root);
      } catch (thrown) {
        onFailed(thrown);
      } finally {
        this.#isLoading = false;
      }
    }
    body.classList.toggle('charted', this.#chart !== undefined);
    restoreFocus();
  }

  show(view: ResultView): void {
    this.#chart?.show(view);
  }

  dispose(): void {
    this.#chart?.dispose();
    this.#chart = undefined;
  }
}
