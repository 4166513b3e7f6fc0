import { t, withTexts } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const workflow: PanelPart = {
  listLayouts: [
    {
      id: 'board',
      label: () => t('list.asBoard'),
      icon: 'kanban',
      mayShow: ({ type, state }) => type.workflow !== null && !state.isTrash,
      component: lazyPart(withTexts('board', () => import('./board/board.tsx'))),
    },
  ],
}
