import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { provisionWorkbench } from './provision.ts';
import { repositoryRoot } from './workbenchPaths.ts';

/** A piece of text and its scopes, the outermost first. */
export interface ScopedText {
  readonly text: string;
  readonly scopes: readonly string[];
}

interface Grammar {
  tokenizeLine(
    line: string,
    state: unknown,
  ): {
    readonly tokens: readonly { startIndex: number; endIndex: number; scopes: string[] }[];
    readonly ruleStack: unknown;
  };
}
interface TextMate {
  readonly Registry: new (options: object) => { loadGrammar(scope: string): Promise<Grammar | null> };
  readonly INITIAL: unknown;
  parseRawGrammar(content: string, path: string): unknown;
}
interface Oniguruma {
  loadWASM(data: Buffer): Promise<void>;
  createOnigScanner(patterns: string[]): unknown;
  createOnigString(text: string): unknown;
}
interface GrammarContribution {
  readonly path: string;
  readonly scopeName: string;
  readonly injectTo?: readonly string[];
}

const builtIns = ['typescript-basics', 'javascript', 'python', 'sql'];

/** Colors lines as the workbench does: with its own packages, its grammars, and those of this extension. */
export async function openGrammars(): Promise<(scope: string, text: string) => Promise<ScopedText[][]>> {
  const { extensions } = await provisionWorkbench();
  const require = createRequire(join(extensions, '../package.json'));
  const textMate = require('vscode-textmate') as TextMate;
  const oniguruma = require('vscode-oniguruma') as Oniguruma;
  await oniguruma.loadWASM(await readFile(require.resolve('vscode-oniguruma/release/onig.wasm')));
  const contributions = new Map<string, { readonly file: string; readonly injectTo: readonly string[] }>();
  for (const folder of [...builtIns.map(name => join(extensions, name)), repositoryRoot]) {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      readonly contributes: { readonly grammars: readonly GrammarContribution[] };
    };
    for (const { path, scopeName, injectTo = [] } of manifest.contributes.grammars) {
      contributions.set(scopeName, { file: join(folder, path), injectTo });
    }
  }
  const registry = new textMate.Registry({
    onigLib: Promise.resolve(oniguruma),
    loadGrammar: async (scope: string) => {
      const file = contributions.get(scope)?.file;
      return file === undefined ? null : textMate.parseRawGrammar(await readFile(file, 'utf8'), file);
    },
    getInjections: (scope: string) =>
      [...contributions].filter(([, { injectTo }]) => injectTo.includes(scope)).map(([name]) => name),
  });
  return async (scope, text) => {
    const grammar = await registry.loadGrammar(scope);
    if (!grammar) throw new Error(`There is no grammar ${scope}.`);
    let state = textMate.INITIAL;
    return text.split('\n').map(line => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens.map(({ startIndex, endIndex, scopes }) => ({ text: line.slice(startIndex, endIndex), scopes }));
    });
  };
}
