import { registerHooks } from 'node:module';

/** The parts of VS Code that modules of the host need without a window: texts, icons and addresses. */
const vscodeStub = `
  export const env = { language: 'en', uiKind: 1 };
  export const UIKind = { Desktop: 1, Web: 2 };
  export const QuickPickItemKind = { Separator: -1, Default: 0 };
  export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
  export const l10n = {
    t: (text, ...values) => text.replace(/\\{(\\d+)\\}/g, (placeholder, index) => String(values[index] ?? placeholder)),
  };
  export const Uri = {
    file: path => ({ scheme: 'file', path, fsPath: path }),
    parse: text => ({ toString: () => text }),
    from: ({ scheme, path, query }) => ({ scheme, path, query, toString: () => scheme + ':' + path + '?' + query }),
    joinPath: (base, ...parts) => Uri.file([base.path, ...parts].join('/').replace(/\\/[^/]+\\/\\.\\.(?=\\/)/, '')),
  };
  /** Progress is shown to nobody, and nobody cancels it. */
  export const window = {
    withProgress: (_options, work) =>
      work({ report() {} }, { isCancellationRequested: false, onCancellationRequested() {} }),
  };
  export const ViewColumn = { Active: -1 };
  export const StatusBarAlignment = { Left: 1, Right: 2 };
  export const ProgressLocation = { Window: 10, Notification: 15 };
  export class CancellationError extends Error {
    name = 'Canceled';
  }
  export const commands = {};
  export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
  /** Each setting has no value. Tests replace what they need. */
  export const workspace = {
    isTrusted: true,
    textDocuments: [],
    fs: { stat: async () => { throw new Error('There is no such file.'); } },
    getConfiguration: () => ({ inspect: () => undefined, get: (name, fallback) => fallback, update: async () => {} }),
    onDidChangeConfiguration: () => ({ dispose() {} }),
  };
  /** Escapes as VS Code does. */
  export class MarkdownString {
    value = '';
    appendText(text) {
      this.value += text.replace(/[\\\\\`*_{}[\\]()#+!~-]/g, '\\\\$&').replace(/\\n/g, '\\n\\n');
      return this;
    }
    appendMarkdown(text) {
      this.value += text;
      return this;
    }
    appendCodeblock(text, language) {
      this.value += '\\n\`\`\`\`' + language + '\\n' + text + '\\n\`\`\`\`\\n';
      return this;
    }
  }
  export class McpStdioServerDefinition {
    constructor(label, command, args, env, version) {
      Object.assign(this, { label, command, args, env, version });
    }
  }
  export class Range {
    constructor(start, end) {
      Object.assign(this, { start, end });
    }
  }
  export class ThemeColor {
    constructor(id) {
      this.id = id;
    }
  }
  export class ThemeIcon {
    constructor(id, color) {
      Object.assign(this, { id, color });
    }
  }
`;

/**
 * Gives modules that are imported from now on a stub in place of VS Code. Import the module under test with `import()`:
 * Node.js resolves static imports before any of the test runs.
 */
export function stubVscode(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode'
        ? { url: `data:text/javascript,${encodeURIComponent(vscodeStub)}`, shortCircuit: true }
        : next(specifier, context),
  });
}
