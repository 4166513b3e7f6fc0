import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const database: PanelPart = {
  sections: [
    {
      path: '/operations/database',
      label: 'operations.database.title',
      load: withTexts('resources', () => import('./database.tsx')),
      permission: 'database.read',
      mayOpen: ({ mayArea }) => mayArea('database'),
    },
  ],
}
