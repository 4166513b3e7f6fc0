import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const jobs: PanelPart = {
  sections: [
    {
      path: '/operations/jobs',
      label: 'operations.jobs.title',
      load: withTexts('resources', () => import('./jobs.tsx')),
      permission: 'jobs.read',
      mayOpen: ({ mayArea }) => mayArea('jobs'),
    },
  ],
}
