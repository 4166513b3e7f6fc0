import { withTexts } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const inbox: PanelPart = {
  screens: [
    {
      path: '/inbox',
      load: withTexts('inbox', () => import('./inbox.tsx')),
      navigation: {
        ...{ label: 'shell.inbox', icon: 'inbox', group: 'work' },
        count: lazyPart(withTexts('inbox', () => import('./inbox-count.tsx'))),
      },
    },
  ],
}
