import type { Answer } from '../agentCalls.ts';
import { ServingExtension } from './servingExtension.ts';

/** An extension that calls tools for language models, as a chat without a model would. */
export interface ToolCaller {
  /** The extension's folder, for development mode. */
  readonly extension: string;
  /** The names of the tools that VS Code lists. */
  readonly tools: () => Promise<readonly string[]>;
  /** Runs a command that is not in the palette. It does not wait for its end. */
  readonly run: (command: string) => Promise<void>;
  /** The parsed answer of a tool. Rejects with what VS Code's `invokeTool` rejects with. The signal cancels the call. */
  readonly call: (tool: string, input: object, options?: CallOptions) => Promise<Answer>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  /** The most tokens that the caller wants. It counts a token for each character. */
  readonly tokenBudget?: number;
}

const main = `
  const { CancellationTokenSource, commands, lm } = require('vscode');
  const call = async ({ command, tool, input, tokenBudget }, response) => {
    if (command !== undefined) return void commands.executeCommand(command);
    if (tool === undefined) return lm.tools.map(({ name }) => name);
    const cancelling = new CancellationTokenSource();
    response.on('close', () => cancelling.cancel());
    const countTokens = async text => text.length;
    const { content } = await lm.invokeTool(tool, {
      input,
      toolInvocationToken: undefined,
      ...(tokenBudget && { tokenizationOptions: { tokenBudget, countTokens } }),
    }, cancelling.token);
    return JSON.parse(content.map(({ value }) => value).join(''));
  };
  exports.activate = () => {
    serve(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      try {
        response.end(JSON.stringify({ answer: await call(JSON.parse(body), response) }));
      } catch (error) {
        response.end(JSON.stringify({ message: error.message }));
      }
    });
  };
`;

export function toolCaller(): ToolCaller {
  const extension = new ServingExtension('tool-caller', main);
  const post = async (body: object, signal?: AbortSignal): Promise<unknown> => {
    const init = { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) };
    const { answer, message } = (await extension.request('', init)) as { answer?: unknown; message?: string };
    if (message !== undefined) throw new Error(message);
    return answer;
  };
  return {
    extension: extension.folder,
    tools: async () => (await post({})) as readonly string[],
    run: async command => {
      await post({ command });
    },
    call: async (tool, input, { signal, tokenBudget } = {}) =>
      (await post({ tool, input, tokenBudget }, signal)) as Answer,
  };
}
