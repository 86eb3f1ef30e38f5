import type { HostReport } from './hostSuite.ts';

export interface HostTests {
  readonly test: (name: string, body: () => void | Promise<void>) => void;
  /** Adds a figure to the report. */
  readonly figure: (name: string, value: number) => void;
  /** The extension host calls this. Export it from the suite's module. */
  readonly run: () => Promise<void>;
}

/**
 * A suite that runs inside the extension host, where no one reads the standard output to which node:test reports:
 * `const { test, run } = hostTests(); export { run };`
 */
export function hostTests(): HostTests {
  const tests = new Map<string, () => void | Promise<void>>();
  const figures: Record<string, number> = {};
  return {
    figure: (name, value) => void (figures[name] = value),
    test: (name, body) => void tests.set(name, body),
    run: async () => {
      const report: HostReport = { passed: 0, failed: 0, messages: [], figures };
      for (const [name, body] of tests) {
        try {
          await body();
          report.passed++;
        } catch (error) {
          report.failed++;
          report.messages.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
        }
      }
      console.log(`${reportPrefix}${JSON.stringify(report)}`);
    },
  };
}

export const reportPrefix = 'host tests: ';
