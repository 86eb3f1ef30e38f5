import { type Connection, type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import { Debouncer } from '../base/debouncer.ts';
import type { Fault, FaultSeverity } from '../sql/diagnosis/fault.ts';
import type { Feature } from './feature.ts';
import type { ServedFile } from './servedFile.ts';
import type { SqlDocument } from './sqlDocument.ts';

/** Typing pauses for longer than this between words. */
const delayMs = 20;

/** A file with more shows these. Editors show no more either. */
const maxDiagnostics = 1000;

const severities: Readonly<Record<FaultSeverity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

/** Checks a file after each of its changes and publishes its faults. A change ends the check that is under way. */
class FileCheck {
  readonly #connection: Connection;
  readonly #file: ServedFile;
  readonly #debouncer = new Debouncer({ delayMs, run: () => void this.#run() });
  #controller = new AbortController();
  #hasPublished = false;

  constructor(connection: Connection, file: ServedFile) {
    this.#connection = connection;
    this.#file = file;
  }

  schedule(): void {
    this.#controller.abort();
    this.#debouncer.schedule();
  }

  close(): void {
    this.#controller.abort();
    this.#debouncer.cancel();
    this.#publish([]);
  }

  async #run(): Promise<void> {
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const diagnostics: Diagnostic[] = [];
    for (const document of this.#file.isServed ? this.#file.documents : []) {
      const faults = await document.faults(signal);
      if (!faults || signal.aborted) return;
      diagnostics.push(
        ...faults.slice(0, maxDiagnostics - diagnostics.length).map(fault => diagnosticOf(fault, document)),
      );
    }
    this.#publish(diagnostics);
  }

  #publish(diagnostics: Diagnostic[]): void {
    if (diagnostics.length === 0 && !this.#hasPublished) return;
    this.#hasPublished = diagnostics.length > 0;
    const { uri, version } = this.#file;
    void this.#connection.sendDiagnostics({ uri, version, diagnostics });
  }
}

function diagnosticOf(fault: Fault, document: SqlDocument): Diagnostic {
  return {
    range: document.rangeOf(fault),
    severity: severities[fault.severity],
    code: fault.code,
    source: 'SQL Projects',
    message: fault.message,
  };
}

/** Faults of the syntax and, with a schema, of the meaning. */
export const diagnostics: Feature = {
  capabilities: {},
  listen({ connection, documents }) {
    const checks = new Map<ServedFile, FileCheck>();
    documents.onDidChange(file => {
      const check = checks.get(file) ?? new FileCheck(connection, file);
      checks.set(file, check);
      check.schedule();
    });
    documents.onDidClose(file => {
      checks.get(file)?.close();
      checks.delete(file);
    });
  },
};
