import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const metrics: PanelPart = {
  sections: [
    {
      path: '/operations/metrics',
      label: 'operations.metrics.title',
      load: withTexts('resources', () => import('./metrics.tsx')),
      permission: 'metrics.read',
      mayOpen: ({ mayArea }) => mayArea('metrics'),
    },
  ],
}
