import { t } from '@vscode/l10n';
import { Debouncer } from '../../../src/base/debouncer.ts';
import { type ChartData, type ChartType, chartTypes, type pictureFormats } from '../../../src/protocol/chart.ts';
import { type FigureKind, figureKinds, periods } from '../../../src/protocol/groups.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import type { TaggedValue } from '../../../src/protocol/shownValues.ts';
import { formatCount } from '../../ui/counts.ts';
import { element, setText } from '../../ui/element.ts';
import { ChoiceField } from '../../ui/field.ts';
import { loadTranslations, type PageMemory } from '../../ui/host.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { type Shortcut, shortcutOf, takeKey } from '../../ui/keys.ts';
import { openMenu } from '../../ui/menu.ts';
import { placeBelow } from '../../ui/popup.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { HostCalls } from '../hostCalls.ts';
import {
  axisOf,
  type ChartChoice,
  type ChartColumn,
  chartColumns,
  fittingChoice,
  guessChoice,
  queryOf,
} from './chartChoice.ts';
import { ChartFigure } from './chartFigure.ts';
import { chartLineOf, readChartLine } from './chartLine.ts';
import { chartModel } from './chartModel.ts';
import { base64Of, type Picture, pngOf, svgOf } from './chartPicture.ts';

interface ChartViewOptions {
  readonly calls: HostCalls;
  readonly view: ResultView;
  /** The first rows. They show what the columns hold. */
  readonly sample: readonly (readonly TaggedValue[])[];
  /** The lines of the charts that were chosen, by their statements. */
  readonly memory: PageMemory;
  readonly onFailed: (thrown: unknown) => void;
  /** They close the chart, as Escape does. */
  readonly keys: Shortcut;
  readonly close: () => void;
}

/** A longer statement is not remembered. */
const maxStatementLength = 5000;
/** While rows arrive, drawing takes at most a fifth of the time. */
const minRestMs = 250;
const restFactor = 4;

// This file is bundled by itself.
loadTranslations();

/** The chart of a result in place of its grid, below a row of controls. */
export class ChartView {
  readonly root = element('section', 'chart', { 'aria-label': t('Chart') });
  readonly #options: ChartViewOptions;
  readonly #type = new ChoiceField({ label: t('Chart'), onChange: () => this.#choose() });
  readonly #x = new ChoiceField({ label: t('X'), onChange: () => this.#choose() });
  readonly #figure = new ChoiceField({ label: t('Y'), onChange: () => this.#choose() });
  readonly #y = new ChoiceField({ label: t('Of'), onChange: () => this.#choose() });
  readonly #series = new ChoiceField({ label: t('Series'), onChange: () => this.#choose() });
  readonly #scale = new ChoiceField({ label: t('Scale'), onChange: () => this.#choose() });
  readonly #figures = new ChartFigure();
  readonly #note = element('p', 'chart-note');
  readonly #more = createPlainButton(t('Picture…'), () => this.#openMenu());
  readonly #refresh = new Debouncer({
    run: () => (this.#controller ? this.#refresh.schedule() : void this.#load()),
    delayMs: () => Math.max(minRestMs, this.#lastDurationMs * restFactor),
  });
  readonly #columns: readonly ChartColumn[];
  #view: ResultView;
  #choice: ChartChoice | undefined;
  #controller: AbortController | undefined;
  #lastDurationMs = 0;

  constructor(options: ChartViewOptions) {
    const { view, sample } = options;
    this.#options = options;
    this.#view = view;
    this.#columns = chartColumns(view.columns, sample);
    this.#choice = this.#firstChoice();
    const controls = element('div', 'chart-controls');
    const fields = [this.#type, this.#x, this.#figure, this.#y, this.#series, this.#scale];
    this.#more.setAttribute('aria-haspopup', 'menu');
    controls.append(...fields.map(({ root }) => root), this.#more, createPlainButton(t('Rows'), options.close));
    this.root.addEventListener('keydown', event => {
      if (event.key !== 'Escape' && shortcutOf(event) !== options.keys) return;
      takeKey(event);
      options.close();
    });
    this.root.append(controls, this.#figures.root, this.#note);
    this.#showControls();
    void this.#load();
  }

  get focusTarget(): HTMLElement {
    return this.#figures.drawing;
  }

  show(view: ResultView): void {
    const previous = this.#view;
    this.#view = view;
    if (view.state !== previous.state || (view.state !== 'running' && view.orderVersion !== previous.orderVersion))
      void this.#load();
    else if (view.orderVersion !== previous.orderVersion || view.rowCount !== previous.rowCount)
      this.#refresh.schedule();
  }

  dispose(): void {
    this.#controller?.abort();
    this.#refresh.dispose();
    this.#figures.dispose();
    this.root.remove();
  }

  #firstChoice(): ChartChoice | undefined {
    const { statement, chartLine } = this.#view;
    const written = chartLine ?? /^[ \t]*--[ \t]*@chart[ \t]([^\r\n]*)/m.exec(statement)?.[1];
    const remembered = this.#options.memory.read(this.#memoryKey);
    const lines = [remembered, written].filter(line => typeof line === 'string');
    const choices = lines.map(line => readChartLine(line, this.#columns));
    return choices.find(choice => choice !== undefined) ?? guessChoice(this.#columns);
  }

  #choose(): void {
    const [x = '0', period] = this.#x.control.value.split(' ');
    const choice: ChartChoice = {
      type: chartTypes.find(type => type === this.#type.control.value) ?? 'bar',
      x: Number(x),
      period: periods.find(other => other === period),
      figure: figureKinds.find(kind => kind === this.#figure.control.value),
      y: numberOf(this.#y.control.value),
      series: numberOf(this.#series.control.value),
      isLog: this.#scale.control.value === 'log',
    };
    this.#choice = fittingChoice(choice, this.#columns);
    if (this.#memoryKey.length <= maxStatementLength) this.#options.memory.write(this.#memoryKey, this.#line);
    this.#showControls();
    void this.#load();
  }

  #showControls(): void {
    const choice = this.#choice;
    if (!choice) return;
    const isHistogram = choice.type === 'histogram';
    const columns = this.#columns.map(({ name }, column) => ({ value: String(column), label: visibleText(name) }));
    const withPeriods = columns.flatMap((column, nth) => {
      if (this.#columns[nth]!.kind !== 'time' || isHistogram) return [column];
      const words = { year: t('Year'), month: t('Month'), week: t('Week'), day: t('Day') };
      const byPeriod = periods.map(period => ({
        value: `${nth} ${period}`,
        label: `${words[period]}: ${column.label}`,
      }));
      return [column, ...byPeriod];
    });
    const figures = figureTexts();
    const kinds = figureKinds.map(kind => ({ value: kind as string, label: figures[kind] }));
    this.#type.show(
      chartTypes.map(type => ({ value: type, label: typeTexts()[type] })),
      choice.type,
    );
    this.#x.show(withPeriods, [choice.x, choice.period].filter(part => part !== undefined).join(' '));
    this.#figure.show([{ value: '', label: t('Each Row') }, ...kinds], choice.figure ?? '');
    this.#y.show(columns, String(choice.y ?? 0));
    this.#series.show([{ value: '', label: t('None') }, ...columns], String(choice.series ?? ''));
    this.#scale.show(
      [
        { value: 'linear', label: t('Linear') },
        { value: 'log', label: t('Logarithmic') },
      ],
      choice.isLog ? 'log' : 'linear',
    );
    this.#figure.root.hidden = isHistogram;
    this.#y.root.hidden = isHistogram || choice.y === undefined;
    this.#series.root.hidden = isHistogram;
  }

  async #load(): Promise<void> {
    const choice = this.#choice;
    if (!choice || this.#view.rowCount === 0) return;
    this.#refresh.cancel();
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    const start = performance.now();
    try {
      const data = await this.#options.calls.send(
        'chart',
        { query: queryOf(choice, this.#columns) },
        controller.signal,
      );
      if (controller.signal.aborted) return;
      this.#figures.show(chartModel(choice, axisOf(choice, this.#columns), data), this.#titleOf(choice));
      setText(this.#note, noteOf(data));
    } catch (thrown) {
      if (!controller.signal.aborted) this.#options.onFailed(thrown);
    }
    if (this.#controller === controller) this.#controller = undefined;
    this.#lastDurationMs = performance.now() - start;
  }

  /** A new comment counts more than what was chosen with the old one. */
  get #memoryKey(): string {
    const { statement, chartLine = '' } = this.#view;
    return `${chartLine}\n${statement}`;
  }

  get #line(): string {
    return this.#choice ? chartLineOf(this.#choice, this.#columns) : '';
  }

  #titleOf(choice: ChartChoice): string {
    const nameOf = (column: number): string => visibleText(this.#columns[column]!.name);
    const { type, x, figure, y } = choice;
    const yName = y === undefined ? t('Rows') : figure ? `${figureTexts()[figure]} ${nameOf(y)}` : nameOf(y);
    return `${typeTexts()[type]}: ${type === 'histogram' ? nameOf(x) : t('{0} by {1}', yName, nameOf(x))}`;
  }

  #openMenu(): void {
    const { onFailed } = this.#options;
    const { picture } = this.#figures;
    const item = (label: string, work: () => Promise<unknown>) => ({ label, run: () => void work().catch(onFailed) });
    const pictures = picture && [
      item(t('Copy as PNG'), () => this.#copyPng(picture)),
      item(t('Copy as SVG'), () => navigator.clipboard.writeText(svgOf(picture))),
      item(t('Save as PNG…'), async () => this.#save('png', await base64Of(await pngOf(picture)))),
      item(t('Save as SVG…'), () => this.#save('svg', svgOf(picture))),
      'line' as const,
    ];
    const comment = `-- @chart ${this.#line}`;
    openMenu({
      label: t('Picture…'),
      place: placeBelow(this.#more),
      onClose: () => this.#more.focus(),
      items: [...(pictures ?? []), item(t('Copy as Comment'), () => navigator.clipboard.writeText(comment))],
    });
  }

  #save(format: (typeof pictureFormats)[number], content: string): Promise<void> {
    return this.#options.calls.send('saveChart', { format, content });
  }

  /** A page without access to the clipboard saves the picture. */
  async #copyPng(picture: Picture): Promise<void> {
    const png = await pngOf(picture);
    const item = new ClipboardItem({ [png.type]: png });
    await navigator.clipboard.write([item]).catch(async () => this.#save('png', await base64Of(png)));
  }
}

const numberOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

const typeTexts = (): Record<ChartType, string> => ({
  line: t('Line'),
  bar: t('Bars'),
  stackedBar: t('Stacked Bars'),
  area: t('Area'),
  scatter: t('Scatter'),
  histogram: t('Histogram'),
});

const figureTexts = (): Record<FigureKind, string> => ({
  rows: t('Rows'),
  count: t('Count'),
  distinct: t('Distinct'),
  sum: t('Sum'),
  average: t('Average'),
  min: t('Min'),
  max: t('Max'),
});

/** Says how much is left out. */
function noteOf({ labels = [], allLabels, series, allSeries }: ChartData): string {
  const notes = [
    labels.length < allLabels && t('{0} of {1} values shown', formatCount(labels.length), formatCount(allLabels)),
    series.length < allSeries && t('{0} of {1} series shown', formatCount(series.length), formatCount(allSeries)),
    series.every(({ ys }) => ys.length === 0) && t('There is nothing to draw. Choose other columns.'),
  ];
  return notes.filter(Boolean).join(' · ');
}
