import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const planning: PanelPart = {
  screens: [
    {
      path: '/calendar',
      load: withTexts('calendar', () => import('./calendar.tsx')),
      navigation: { label: 'shell.calendar', icon: 'calendar-days', group: 'work' },
    },
  ],
}
