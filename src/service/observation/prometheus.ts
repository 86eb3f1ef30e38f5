// Metrics in the text format of Prometheus, version 0.0.4.

/** The labels of a metric with their values. Each value must come from a small fixed set, because all are kept. */
type Labels = Readonly<Record<string, string>>;

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const head = (name: string, help: string, type: string): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

/** A value that is read when the metrics are requested. */
export function gauge(name: string, help: string, value: number): string {
  return head(name, help, 'gauge') + sample(name, {}, value);
}

/** A number that only grows, one for each combination of its labels. */
export class Counter {
  readonly #name: string;
  readonly #help: string;
  readonly #counts = new Map<string, { readonly labels: Labels; count: number }>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  /** Adding 0 shows a counter without labels before its first count. */
  add(labels: Labels = {}, count = 1): void {
    const key = Object.values(labels).join('\n');
    const counted = this.#counts.get(key);
    if (counted) counted.count += count;
    else this.#counts.set(key, { labels, count });
  }

  text(): string {
    const samples = [...this.#counts.values()].map(({ labels, count }) => sample(this.#name, labels, count));
    return head(this.#name, this.#help, 'counter') + samples.join('');
  }
}

/** Counts the durations up to each bound in seconds, for each value of one label. */
export class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #label: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { readonly counts: number[]; sum: number; count: number }>();

  constructor(name: string, help: string, { label, bounds }: { label: string; bounds: readonly number[] }) {
    this.#name = name;
    this.#help = help;
    this.#label = label;
    this.#bounds = bounds;
  }

  observe(labelValue: string, seconds: number): void {
    let series = this.#series.get(labelValue);
    if (!series) this.#series.set(labelValue, (series = { counts: this.#bounds.map(() => 0), sum: 0, count: 0 }));
    for (const [i, bound] of this.#bounds.entries()) if (seconds <= bound) series.counts[i]!++;
    series.sum += seconds;
    series.count++;
  }

  text(): string {
    const parts = [head(this.#name, this.#help, 'histogram')];
    for (const [value, { counts, sum, count }] of this.#series) {
      const labels = { [this.#label]: value };
      for (const [i, bound] of this.#bounds.entries()) {
        parts.push(sample(`${this.#name}_bucket`, { ...labels, le: String(bound) }, counts[i]!));
      }
      parts.push(sample(`${this.#name}_bucket`, { ...labels, le: '+Inf' }, count));
      parts.push(sample(`${this.#name}_sum`, labels, sum), sample(`${this.#name}_count`, labels, count));
    }
    return parts.join('');
  }
}
