import type { Access } from '../../ground/access/access.ts'
import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

const rights = { permission: 'backups.read', mayOpen: ({ mayArea }: Access) => mayArea('backups') }

export const backups: PanelPart = {
  sections: [
    {
      path: '/operations/backups',
      label: 'operations.backups.title',
      load: withTexts('resources', () => import('./backups.tsx')),
      ...rights,
    },
    {
      path: '/operations/backups/:id',
      load: withTexts('resources', () => import('./backup-screen.tsx')),
      ...rights,
    },
  ],
}
