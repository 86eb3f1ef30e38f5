import { l10n } from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import type { Profile, ProfileProblem } from '../../model/profiles.ts';
import { errorMessage, profileProblemMessage } from '../errorMessages.ts';
import { commandId } from '../names.ts';
import { isLocalProjectGone, projectErrorMessage, remedyCommand, remedyFor } from '../remedies.ts';
import { remedyLabels } from '../../protocol/remedyLabels.ts';
import type { ProblemNode, TreeNode } from './treeNodes.ts';

export function settingProblemNode(problem: ProfileProblem): ProblemNode {
  return {
    kind: 'problem',
    label: l10n.t('Problem in settings: click to open'),
    message: profileProblemMessage(problem),
    remedy: {
      command: commandId('openSettings'),
      title: l10n.t('Open Settings'),
      arguments: [{ scope: problem.scope, ...('index' in problem && { index: problem.index }) }],
    },
  };
}

export function problemNode(thrown: unknown, profile: Profile | undefined): ProblemNode {
  const refresh = { command: commandId('refresh'), title: remedyLabels().tryAgain };
  const label = shortProblem(thrown, profile);
  if (!profile) return { kind: 'problem', label, message: errorMessage(thrown), remedy: refresh };
  const projectNode: TreeNode = { kind: 'project', profile };
  return {
    kind: 'problem',
    label,
    message: projectErrorMessage(thrown, profile),
    remedy: remedyCommand(thrown, profile) ?? { ...refresh, arguments: [projectNode] },
  };
}

/** Says in a few words what is wrong with a project and what a click does. The tooltip of the node has the details. */
export function shortProblem(thrown: unknown, profile: Pick<Profile, 'source'> | undefined): string {
  const code = asProjectError(thrown)?.code;
  if (profile && isLocalProjectGone(thrown, profile)) return l10n.t('Project not found: click to refresh');
  switch (profile ? remedyFor(thrown, profile) : 'tryAgain') {
    case 'setKey':
      if (code === 'no_key') return l10n.t('No API key: click to set');
      return code === 'forbidden'
        ? l10n.t('API key of another project: click to set')
        : l10n.t('API key rejected: click to set');
    case 'issueKey':
      return code === 'no_key' ? l10n.t('No API key: click to issue') : l10n.t('API key rejected: click to issue');
    case 'editProject':
      return wrongAddress(code);
    case 'tryAgain':
      return retryProblem(code);
  }
}

function wrongAddress(code: string | undefined): string {
  if (code === 'project_not_found') return l10n.t('Project not found: click to edit');
  return code === 'tls_failed'
    ? l10n.t('Certificate not trusted: click to edit')
    : l10n.t('No SQL service here: click to edit');
}

function retryProblem(code: string | undefined): string {
  switch (code) {
    case 'connect_failed':
    case 'connect_timeout':
      return l10n.t('Cannot connect: click to retry');
    case 'body_timeout':
    case 'headers_timeout':
    case 'row_timeout':
    case 'timeout':
      return l10n.t('No answer in time: click to retry');
    case 'connection_lost':
      return l10n.t('Connection lost: click to retry');
    case 'rate_limited':
      return l10n.t('Too many requests: click to retry');
    case 'local_service_not_running':
    case 'service_unproven':
      return l10n.t('Local service not running: click to retry');
    case 'local_service_failed':
      return l10n.t('Local service not started: click to retry');
    default:
      return l10n.t('Cannot list tables: click to retry');
  }
}
