import type { Uri } from 'vscode';
import { asRecord } from '../../base/decode.ts';
import { AgentSession, type SessionParts } from '../../model/agent/agentSession.ts';
import type { WriteProposal } from '../../model/agent/writeProposals.ts';

/** More chats are rarely open. The chat that was idle longest loses its session. */
const maxSessions = 32;

/** A session for each chat, and one for all calls of other extensions. */
export function agentSessions(parts: SessionParts) {
  /** In the order of their last use. */
  const sessions = new Map<string, AgentSession>();
  return {
    /** `token` is VS Code's `toolInvocationToken`. Only the URI of its chat stays the same from call to call. */
    for(token: unknown): AgentSession {
      const address = asRecord(token)?.['sessionResource'] as Uri | undefined;
      const chat = address?.toString() ?? '';
      const session = sessions.get(chat) ?? new AgentSession(parts);
      sessions.delete(chat);
      sessions.set(chat, session);
      const [oldest] = sessions.keys();
      if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
      return session;
    },

    /** The write that this input of `sql_write` would commit. All sessions are searched: VS Code does not name the chat. */
    async proposedWrite(input: unknown): Promise<WriteProposal | undefined> {
      for (const session of sessions.values()) {
        const proposal = await session.proposedWrite(input);
        if (proposal) return proposal;
      }
      return undefined;
    },
  };
}
