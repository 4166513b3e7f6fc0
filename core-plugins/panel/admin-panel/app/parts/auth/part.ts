import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const auth: PanelPart = {
  screens: [
    {
      path: '/people/*?',
      load: withTexts('people', () => import('./people.tsx')),
      mayOpen: ({ isAdministrator }) => isAdministrator,
      navigation: { label: 'shell.people', icon: 'users', group: 'administration' },
    },
    { path: '/profile', load: withTexts('people', () => import('./profile/profile.tsx')) },
  ],
}
