import { t, withTexts } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const discussion: PanelPart = {
  entryPanels: [
    {
      id: 'discussion',
      label: () => t('entry.discussion'),
      icon: 'message-square',
      mayShow: ({ isNew }) => !isNew,
      component: lazyPart(withTexts('discussion', () => import('./discussion-panel.tsx'))),
    },
  ],
}
