import { momentText } from '../../ground/i18n/moment-text.ts'
import { type TextKey, t } from '../../ground/i18n/translate.ts'
import type { RevisionSummary } from './use-revisions.ts'

const actions: Readonly<Record<string, TextKey>> = {
  baseline: 'history.action.baseline',
  create: 'history.action.create',
  delete: 'history.action.delete',
  discard: 'history.action.discard',
  draft: 'history.action.draft',
  publish: 'history.action.publish',
  repair: 'history.action.repair',
  restore: 'history.action.restore',
  undelete: 'history.action.undelete',
  unpublish: 'history.action.unpublish',
  update: 'history.action.update',
}

/** The label of an action on the entry; unknown actions of plugins are shown by name. */
export function actionText(action: string): string {
  const key = actions[action]
  return key === undefined ? action : t(key)
}

/** The author's name, or the service if there is no author. */
export const authorText = ({ author }: RevisionSummary): string => author?.username ?? t('history.nobody')

/** One line for choices. */
export const revisionText = (revision: RevisionSummary): string =>
  [
    t('history.version', { version: revision.version }),
    momentText(revision.created_at),
    actionText(revision.action),
    authorText(revision),
  ].join(' · ')
