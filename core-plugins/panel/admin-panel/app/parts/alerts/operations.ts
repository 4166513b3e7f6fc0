import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const alerts: PanelPart = {
  sections: [
    {
      path: '/operations/alerts',
      label: 'operations.alerts.title',
      load: withTexts('resources', () => import('./alerts.tsx')),
      permission: 'alerts.read',
      mayOpen: ({ mayArea }) => mayArea('alerts'),
    },
  ],
}
