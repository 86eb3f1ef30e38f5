import type { Browser } from 'playwright-core';
import { reportPrefix } from './hostTests.ts';
import { newWorkbenchPage } from './workbenchPage.ts';
import { tail, type WorkbenchServer } from './workbenchServer.ts';
import { testLimitMs } from '../hangLimits.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

export interface HostReport {
  passed: number;
  failed: number;
  /** One message for each failure, with its stack. */
  messages: string[];
  /** Figures that the suite measured, for benches. */
  figures?: Record<string, number>;
}

export interface HostSuiteOptions {
  /** The unpacked extension under test. */
  extension: string;
  /** A module of the extension that exports `run()`, also one that runs several suites. The extension host strips its types. */
  suite: string;
  /** The folder to open. An empty one by default. */
  folder?: string;
  timeoutMs?: number;
}

const added = (one: HostReport, other: HostReport): HostReport => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  messages: [...one.messages, ...other.messages],
  figures: { ...one.figures, ...other.figures },
});

/** Runs a suite with the real `vscode` module, in an extension host of its own. */
export async function runInExtensionHost(
  server: WorkbenchServer,
  browser: Browser,
  options: HostSuiteOptions,
): Promise<HostReport> {
  const { extension, suite, timeoutMs = testLimitMs } = options;
  const emptyFolder = temporaryFolder();
  const { context, page, consoleLines } = await newWorkbenchPage(browser, server, {
    developmentExtension: extension,
    hostTests: suite,
  });
  try {
    const reports: string[] = [];
    const errors: string[] = [];
    const ended = Promise.withResolvers<number>();
    // The workbench calls these two functions if it finds them: VS Code's own way to test in a browser.
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
      const text = args.map(String).join(' ');
      if (text.includes(reportPrefix)) reports.push(text.slice(text.indexOf(reportPrefix) + reportPrefix.length));
      else if (type === 'error') errors.push(text);
    });
    await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
    const late = setTimeout(() => ended.reject(new Error(`${suite} did not end within ${timeoutMs} ms`)), timeoutMs);
    await page.goto(server.urlFor(options.folder ?? emptyFolder));
    const code = await ended.promise.finally(() => clearTimeout(late));
    if (reports.length > 0) return reports.map(report => JSON.parse(report) as HostReport).reduce(added);
    // A suite with a plain run() reports only whether it threw.
    return code === 0 ? { passed: 1, failed: 0, messages: [] } : { passed: 0, failed: 1, messages: errors };
  } catch (error) {
    const evidence = [...consoleLines.slice(-20), await tail(server.logFile, 20)].join('\n');
    throw new Error(`The suite gave no result. Console and server log end with:\n${evidence}`, { cause: error });
  } finally {
    await context.close();
  }
}
