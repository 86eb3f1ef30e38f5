import { misuse } from '../../base/errors.ts';
import { shortestAnswer } from './answerText.ts';

/** How much one call, or all calls of a session together, may take. */
export interface Limits {
  readonly rows: number;
  /** Counts the service's answers, as they arrive. */
  readonly bytes: number;
  /** Counts only while statements run. */
  readonly seconds: number;
  /** Counts the answers to the agent; an estimate. */
  readonly tokens: number;
}

export interface AgentLimits {
  readonly call: Limits;
  readonly session: Limits;
}

/** Limits that a project or a workspace sets. A missing one sets nothing. */
export interface LowerLimits {
  readonly call?: Partial<Limits> | undefined;
  readonly session?: Partial<Limits> | undefined;
}

export const limitNames = ['rows', 'bytes', 'seconds', 'tokens'] as const;
type LimitName = (typeof limitNames)[number];

export const defaultAgentLimits: AgentLimits = {
  call: { rows: 200, bytes: 2_000_000, seconds: 30, tokens: 8000 },
  session: { rows: 50_000, bytes: 200_000_000, seconds: 3600, tokens: 1_000_000 },
};

/** The limits of a user. The defaults take the place of missing ones. */
export const limitsWithDefaults = ({ call, session }: LowerLimits): AgentLimits => ({
  call: { ...defaultAgentLimits.call, ...call },
  session: { ...defaultAgentLimits.session, ...session },
});

/** A project or a workspace lowers the limits of the user, and never raises them. */
export function lowestLimits(limits: AgentLimits, ...others: readonly (LowerLimits | undefined)[]): AgentLimits {
  const lowest = (scope: keyof AgentLimits): Limits =>
    mapLimits(name =>
      Math.min(limits[scope][name], ...others.flatMap(other => validLimit(other?.[scope]?.[name]) ?? [])),
    );
  return { call: lowest('call'), session: lowest('session') };
}

/** Undefined for a setting that is no number from 0 on. */
function validLimit(value: number | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

const mapLimits = (valueOf: (name: LimitName) => number): Limits => ({
  rows: valueOf('rows'),
  bytes: valueOf('bytes'),
  seconds: valueOf('seconds'),
  tokens: valueOf('tokens'),
});

interface Reservation {
  /** The limits of the call, or what the session has left if that is less. */
  readonly limits: Limits;
  settle(used: Limits): void;
}

/** Counts what the calls of a session use. A call reserves its limits first, so calls at the same time share what is left. */
export class SessionBudget {
  #usage: Limits = mapLimits(() => 0);

  /** Throws if nothing is left of one of the limits. A project may have lower ones than the session. */
  reserve({ call, session }: AgentLimits): Reservation {
    const used = this.#usage;
    const isSpent = (name: LimitName, least: number): boolean => session[name] - used[name] < least;
    const spent = limitNames.find(name => isSpent(name, name === 'tokens' ? shortestAnswer : Number.MIN_VALUE));
    if (spent !== undefined) {
      const limit = session[spent].toLocaleString('en-US');
      throw misuse(
        'session_limit',
        `This session has used its ${limit} ${spent}. Ask the user to start a new session, or to raise the limit.`,
      );
    }
    const limits = mapLimits(name => Math.min(call[name], session[name] - used[name]));
    this.#add(limits, 1);
    return {
      limits,
      settle: actual => {
        this.#add(limits, -1);
        this.#add(actual, 1);
      },
    };
  }

  #add(amounts: Limits, sign: 1 | -1): void {
    const used = this.#usage;
    this.#usage = mapLimits(name => used[name] + sign * amounts[name]);
  }
}
