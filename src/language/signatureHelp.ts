import { signatureHelpAt } from '../sql/signatures/signatureHelp.ts';
import { statementAround } from '../sql/text/statementAt.ts';
import type { Feature } from './feature.ts';

/** The parameters of the call, or the columns of the INSERT row, at the cursor. */
export const signatureHelp: Feature = {
  capabilities: { signatureHelpProvider: { triggerCharacters: ['(', ','] } },
  listen({ connection, documents }) {
    connection.onSignatureHelp(async (params, token) => {
      const place = await documents.placeAt(params);
      if (!place || token.isCancellationRequested) return null;
      const { document, offset } = place;
      const { number, start, end } = statementAround(document.statements, offset);
      const text = document.statements.slice(start, end);
      const help = signatureHelpAt(text, offset - start, document.schemaBefore(number));
      if (!help) return null;
      const { signatures, activeSignature, activeParameter } = help;
      return {
        signatures: signatures.map(({ label, documentation, parameters }) => ({
          label,
          documentation,
          parameters: parameters.map(parameter => ({ label: [parameter.start, parameter.end] })),
        })),
        activeSignature,
        activeParameter,
      };
    });
  },
};
