import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const releases: PanelPart = {
  screens: [
    {
      path: '/releases/*?',
      load: withTexts('calendar', () => import('./releases.tsx')),
      permission: 'content.publish',
      mayOpen: ({ mayArea, publishes }) => publishes || mayArea('releases'),
      navigation: { label: 'shell.releases', icon: 'package', group: 'work' },
    },
  ],
}
