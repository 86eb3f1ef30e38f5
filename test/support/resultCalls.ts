import { asRecord, asString } from '../../src/base/decode.ts';

interface Call {
  /** The action of the method `act`. */
  readonly method: string;
  /** For `begin`, what the panel begins with. */
  readonly runId: unknown;
}

/** Records what a page calls about its results. */
export function recordResultCalls() {
  const calls: Call[] = [];
  const note = (method: string) => (params: unknown) => {
    const { runId, action, with: beginning } = asRecord(params) ?? {};
    calls.push({ method: asString(action) ?? method, runId: runId ?? beginning });
  };
  const names = ['selectTab', 'closeTab', 'renameTab', 'act', 'begin'];
  const methods = Object.fromEntries(names.map(name => [name, note(name)]));
  /** Waits for a call, and forgets all calls so far. */
  const received = async (method: string, runId: string): Promise<void> => {
    while (!calls.some(call => call.method === method && call.runId === runId)) await new Promise(setImmediate);
    calls.length = 0;
  };
  return { methods, received };
}
