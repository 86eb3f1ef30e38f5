import type { Profile } from '../../model/profiles.ts';
import { settings } from '../names.ts';
import { scopesOf, textsIn, unitedTexts } from './settingScopes.ts';

/** The names and ids of projects that no agent sees. An untrusted workspace can hide projects too. */
export const readHidden = (): ReadonlySet<string> => unitedTexts(settings.agentsHidden);

export const isHidden = ({ id, name }: Pick<Profile, 'id' | 'name'>, hidden: ReadonlySet<string>): boolean =>
  hidden.has(id) || hidden.has(name);

/** The list in the user's own settings. */
export const readOwnHidden = (): readonly string[] => textsIn(scopesOf(settings.agentsHidden).user);
