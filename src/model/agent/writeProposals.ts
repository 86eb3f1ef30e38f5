import type { BoundSql } from '../boundSql.ts';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { misuse } from '../../base/errors.ts';
import { exactText, jsonParameters } from '../../wire/values.ts';
import { WriteKey } from '../results/writeKey.ts';
import type { AgentProject } from './agentProject.ts';
import type { ToolAnswer } from './agentTool.ts';

/** A write, as a question to the user shows it. */
export interface ProposedWrite extends BoundSql {
  readonly agent: string;
  readonly project: AgentProject;
  /** Undefined for a statement that touches no existing rows, or whose rows cannot be counted. */
  readonly touchedRows: bigint | number | undefined;
}

export type ConfirmWrite = (write: ProposedWrite, signal: AbortSignal) => Promise<boolean>;

type ProposalState = 'proposed' | 'sent' | 'refused' | 'done';

/** A write that an agent has proposed. Its token is good for exactly this statement with these values on this schema. */
export interface WriteProposal extends Omit<ProposedWrite, 'agent'> {
  readonly token: string;
  readonly schemaVersion: string;
  /** The service does the write once for this key, however often it is sent. */
  readonly key: WriteKey;
  state: ProposalState;
  result: ToolAnswer | undefined;
}

const maxProposals = 32;
const validMs = 10 * 60_000;

export class WriteProposals {
  readonly confirmWrite: ConfirmWrite | undefined;
  readonly #clock: Clock;
  readonly #proposals = new Map<string, { readonly proposal: WriteProposal; readonly expiresAt: number }>();

  constructor({ clock, confirmWrite }: { readonly clock: Clock; readonly confirmWrite: ConfirmWrite | undefined }) {
    this.#clock = clock;
    this.confirmWrite = confirmWrite;
  }

  add(write: Omit<WriteProposal, 'token' | 'key' | 'state' | 'result'>): WriteProposal {
    const proposal: WriteProposal = {
      ...write,
      token: randomUUID(),
      key: new WriteKey(this.#clock),
      state: 'proposed',
      result: undefined,
    };
    this.#proposals.set(proposal.token, { proposal, expiresAt: this.#clock.now() + validMs });
    this.#forgetOldest();
    return proposal;
  }

  find(token: string): WriteProposal | undefined {
    return this.#proposals.get(token)?.proposal;
  }

  get(token: string, project: AgentProject, write: BoundSql): WriteProposal {
    const entry = this.#proposals.get(token);
    if (!entry || entry.proposal.project.id !== project.id) {
      throw misuse('proposal_unknown', 'The token is unknown here. Propose the write again.');
    }
    const { proposal, expiresAt } = entry;
    if (proposal.state === 'proposed' && this.#clock.now() >= expiresAt) {
      throw misuse('proposal_expired', 'The proposal is older than 10 minutes. Propose the write again.');
    }
    if (!isSameWrite(write, proposal)) {
      throw misuse(
        'proposal_changed',
        'The statement or its values differ from the proposed ones. Propose the write again.',
      );
    }
    return proposal;
  }

  /** Drops the oldest proposals. Writes whose outcome may be unknown are dropped last. */
  #forgetOldest(): void {
    const tokens = [...this.#proposals.keys()];
    const isSettled = (token: string): boolean => this.#proposals.get(token)?.proposal.state !== 'sent';
    for (const token of [...tokens.filter(isSettled), ...tokens]) {
      if (this.#proposals.size <= maxProposals) return;
      this.#proposals.delete(token);
    }
  }
}

export const isSameWrite = (one: BoundSql, other: BoundSql): boolean => textOf(one) === textOf(other);

const textOf = ({ sql, params }: BoundSql): string => exactText([sql, jsonParameters(params)]);
