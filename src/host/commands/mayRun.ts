import type { Profile } from '../../model/profiles.ts';

/** Whether a project's protection lets a statement pass. The parser is read for projects that are protected, and for no others. */
export async function mayRun(profile: Profile, sql: string): Promise<boolean> {
  if (profile.protection === 'open') return true;
  const { passesProtection } = await import('../running/running.ts');
  return passesProtection(profile, sql);
}
