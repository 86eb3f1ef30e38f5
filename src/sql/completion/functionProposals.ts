import { builtInFunctions, type Signature } from '../functions/builtInFunctions.ts';
import type { Scope } from '../scope/scope.ts';
import type { CursorContext } from './cursorContext.ts';
import type { ProposalParts, Proposals } from './proposals.ts';

export function proposeFunctions(proposals: Proposals, scope: Scope, context: CursorContext): void {
  const hasVirtualTable = scope.levels.some(level => level.some(({ kind }) => kind === 'virtual'));
  for (const builtIn of builtInFunctions) {
    const { name, signatures } = builtIn;
    const signature = signatures[0]!;
    const { kind, label } = signature;
    const isOperator = !/^[a-z]/.test(name);
    if (kind === 'table' || (kind === 'auxiliary' && !hasVirtualTable) || isOperator) continue;
    // Functions without parentheses are keywords, which the grammar proposes.
    if (label === name) continue;
    const word = proposals.inFunctionCase(name);
    proposals.addText('function', word, 'function', {
      ...functionParts(proposals, word, signature, context),
      subject: { kind: 'function', function: builtIn },
    });
  }
}

/** The parameters of a function, and the call with the cursor in its parentheses unless the text has them already. */
export function functionParts(
  proposals: Proposals,
  name: string,
  { kind, label, parameters }: Signature,
  { isCall }: CursorContext,
): Pick<ProposalParts, 'detail' | 'snippet'> {
  const detail = label.slice(label.indexOf('('));
  if (isCall) return { detail };
  const takesNone = parameters.length === 0 && detail === '()';
  const call = takesNone ? `${name}()` : `${name}($1)`;
  // A window function needs a window.
  const over = kind === 'window' ? ` ${proposals.inStatementCase('OVER')} ($${takesNone ? 1 : 2})` : '';
  return { detail, snippet: `${call}${over}$0` };
}
