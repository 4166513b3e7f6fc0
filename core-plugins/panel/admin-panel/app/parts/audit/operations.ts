import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const audit: PanelPart = {
  sections: [
    {
      path: '/operations/audit',
      label: 'operations.audit.title',
      load: withTexts('resources', () => import('./audit.tsx')),
      permission: 'audit.read',
      mayOpen: ({ mayArea }) => mayArea('audit'),
    },
  ],
}
