import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const schedules: PanelPart = {
  sections: [
    {
      path: '/operations/schedules',
      label: 'operations.schedules.title',
      load: withTexts('resources', () => import('./schedules.tsx')),
      permission: 'jobs.read',
      mayOpen: ({ mayArea }) => mayArea('jobs'),
    },
  ],
}
