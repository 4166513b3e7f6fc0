import type { EntryAbout } from '../../content/entry/entry-parts.ts'
import { t } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const revisions: PanelPart = {
  entryPanels: [
    {
      id: 'history',
      label: () => t('history.title'),
      icon: 'history',
      mayShow: (about) => !about.isNew && seesRevisions(about),
      component: lazyPart(() => import('./history-panel.tsx')),
    },
  ],
}

/** Revisions are for administrators, unless the settings allow them to everyone who may update the type. */
function seesRevisions({ type, access }: EntryAbout): boolean {
  const isOpen = access.setting('advanced.revisions.visibleToEditors') === true
  return access.isAdministrator || (isOpen && access.mayContent(type.name, 'update'))
}
