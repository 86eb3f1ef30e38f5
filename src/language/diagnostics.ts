import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver/node';
import { Debouncer } from '../base/debouncer.ts';
import { messageOf } from '../base/errors.ts';
import { definitionScheme } from '../protocol/definitionUri.ts';
import type { Fault, FaultSeverity } from '../sql/diagnosis/fault.ts';
import { errorHint, namesOfTables } from '../sql/fixes/errorHint.ts';
import { readableError } from '../sql/errors/readableError.ts';
import type { Lint, LintLevel, LintRules } from '../sql/lints/lint.ts';
import type { Feature, LanguageServer } from './feature.ts';
import { lintPage, lintRulesFor } from './lintRules.ts';
import type { ServedFile } from './servedFile.ts';
import type { SqlDocument } from './sqlDocument.ts';

/** Shorter than the pause between two typed words. */
const delayMs = 20;

/** For each file. Editors show no more either. */
const maxDiagnostics = 1000;
/** The search for the name that was meant takes milliseconds in a large schema. */
const maxHints = 20;

const severities: Readonly<Record<FaultSeverity | Exclude<LintLevel, 'off'>, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Checks a file after each change, and publishes its faults and lints. The next change ends a check that still runs. */
class FileCheck {
  readonly #server: LanguageServer;
  readonly #file: ServedFile;
  readonly #debouncer = new Debouncer({
    delayMs,
    // A file that cannot be checked must not end the server: other files need it.
    run: () => void this.#run().catch((thrown: unknown) => this.#log(thrown)),
  });
  #controller = new AbortController();
  #hasPublished = false;

  constructor(server: LanguageServer, file: ServedFile) {
    this.#server = server;
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
    const rules = await lintRulesFor(this.#server.settings, this.#file.uri);
    while (this.#file.pendingChanges) await this.#file.pendingChanges;
    if (signal.aborted) return;
    // A definition shows what is there already, so that its CREATE is no fault.
    const isChecked = this.#file.isServed && !this.#file.uri.startsWith(`${definitionScheme}:`);
    for (const document of isChecked ? this.#file.documents : []) {
      const faults = await document.faults(signal);
      if (!faults || signal.aborted) return;
      const shownLints = document.lints().filter(({ code }) => rules[code] !== 'off');
      for (const fault of faults.slice(0, maxDiagnostics - diagnostics.length)) {
        const hint = diagnostics.length < maxHints ? await hintFor(fault, document) : fault.hint;
        // Requests and the next change come between two searches.
        if (hint !== fault.hint) await new Promise(setImmediate);
        if (signal.aborted) return;
        diagnostics.push(diagnosticOf({ ...fault, ...(hint !== undefined && { hint }) }, document));
      }
      for (const lint of shownLints.slice(0, maxDiagnostics - diagnostics.length)) {
        diagnostics.push(diagnosticOfLint(lint, rules, document));
      }
    }
    this.#publish(diagnostics);
  }

  #log(thrown: unknown): void {
    this.#server.connection.console.error(`${this.#file.uri} was not checked: ${messageOf(thrown)}`);
  }

  #publish(diagnostics: Diagnostic[]): void {
    if (diagnostics.length === 0 && !this.#hasPublished) return;
    this.#hasPublished = diagnostics.length > 0;
    const { uri, version } = this.#file;
    void this.#server.connection.sendDiagnostics({ uri, version, diagnostics });
  }
}

function diagnosticOf(fault: Fault, document: SqlDocument): Diagnostic {
  return {
    range: document.rangeOf(fault),
    severity: severities[fault.severity],
    code: fault.code,
    source: 'SQL Projects',
    message: shownMessage(fault),
  };
}

async function hintFor({ start, message, hint }: Fault, document: SqlDocument): Promise<string | undefined> {
  const number = document.statements.firstEndingAfter(start);
  const statement = document.statements.at(number);
  if (hint !== undefined || !statement) return hint;
  const tables = [...document.schemaBefore(number).tables];
  return errorHint(message, document.statements.slice(statement.start, statement.end), namesOfTables(tables));
}

/** In the words that results use for the same error. */
function shownMessage({ message, hint }: Fault): string {
  const readable = readableError(message);
  return hint === undefined ? readable : `${readable}. ${hint}`;
}

function diagnosticOfLint(lint: Lint, rules: LintRules, document: SqlDocument): Diagnostic {
  const { code, message } = lint;
  const level = rules[code];
  return {
    range: document.rangeOf(lint),
    ...(level !== 'off' && { severity: severities[level] }),
    code,
    codeDescription: { href: lintPage(code) },
    source: 'SQL Projects',
    message,
    // Editors fade unnecessary code.
    ...(code === 'unused_common_table' && { tags: [DiagnosticTag.Unnecessary] }),
  };
}

/** Publishes faults of the syntax and, with a schema, of the meaning. Lints report valid code that is probably not intended. */
export const diagnostics: Feature = {
  capabilities: {},
  listen(server) {
    const { documents, settings } = server;
    const checks = new Map<ServedFile, FileCheck>();
    documents.onDidChange(file => {
      const check = checks.get(file) ?? new FileCheck(server, file);
      checks.set(file, check);
      check.schedule();
    });
    settings.onDidChange(() => {
      for (const check of checks.values()) check.schedule();
    });
    documents.onDidClose(file => {
      checks.get(file)?.close();
      checks.delete(file);
    });
  },
};
