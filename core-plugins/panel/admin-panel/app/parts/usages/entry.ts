import { t } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const usages: PanelPart = {
  entryPanels: [
    {
      id: 'usage',
      label: () => t('removal.usages'),
      icon: 'link',
      mayShow: ({ isNew }) => !isNew,
      component: lazyPart(() => import('./usage-panel.tsx')),
    },
  ],
}
