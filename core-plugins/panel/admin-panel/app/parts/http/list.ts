import { t, withTexts } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const http: PanelPart = {
  listMenu: [
    {
      id: 'request',
      label: () => t('list.asRequest'),
      icon: 'terminal',
      dialog: lazyPart(withTexts('requests', () => import('./list-request-dialog.tsx'))),
    },
  ],
}
