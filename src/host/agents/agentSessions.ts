import type { Uri } from 'vscode';
import { asRecord } from '../../base/decode.ts';
import { AgentSession, type SessionParts } from '../../model/agent/agentSession.ts';
import type { WriteProposal } from '../../model/agent/writeProposals.ts';

/** More chats are rarely open. The chat that was idle longest loses its session. */
const maxSessions = 32;

/** A session for each chat, and one for all calls of other extensions. */
export class AgentSessions {
  readonly #parts: SessionParts;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, AgentSession>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** `token` is VS Code's `toolInvocationToken`. Only the URI of its chat stays the same from call to call. */
  for(token: unknown): AgentSession {
    const address = asRecord(token)?.['sessionResource'] as Uri | undefined;
    const chat = address?.toString() ?? '';
    const session = this.#sessions.get(chat) ?? new AgentSession(this.#parts);
    this.#sessions.delete(chat);
    this.#sessions.set(chat, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }

  /** The write that this input of `sql_write` would commit. All sessions are searched: VS Code does not name the chat. */
  async proposedWrite(input: unknown): Promise<WriteProposal | undefined> {
    for (const session of this.#sessions.values()) {
      const proposal = await session.proposedWrite(input);
      if (proposal) return proposal;
    }
    return undefined;
  }
}
