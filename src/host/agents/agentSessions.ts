import type { Uri } from 'vscode';
import { asRecord } from '../../base/decode.ts';
import { AgentSession, type SessionParts } from '../../model/agent/agentSession.ts';
import type { WriteProposal } from '../../model/agent/writeProposals.ts';

/** More chats are rarely open. The one that was idle for longest starts anew with its next call. */
const maxSessions = 32;

/** A session for each chat, and one for all calls of other extensions. */
export class AgentSessions {
  readonly #parts: SessionParts;
  /** The one that was used last is the last one. */
  readonly #sessions = new Map<string, AgentSession>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** `token` is VS Code's token of a call in a chat. Its chat is the only part of it that stays the same from call to call. */
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

  /** The write that this input of `sql_write` would commit. VS Code does not say which chat a question belongs to. */
  async proposedWrite(input: unknown): Promise<WriteProposal | undefined> {
    for (const session of this.#sessions.values()) {
      const proposal = await session.proposedWrite(input);
      if (proposal) return proposal;
    }
    return undefined;
  }
}
