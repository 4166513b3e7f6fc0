import { t, withTexts } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const releases: PanelPart = {
  listActions: [
    {
      id: 'release',
      label: () => t('list.addToRelease'),
      icon: 'package',
      mayShow: ({ type, access, state }) =>
        !state.isTrash && type.options.draftAndPublish === true && access.mayContent(type.name, 'publish'),
      dialog: lazyPart(withTexts('calendar', () => import('./add-to-release-dialog.tsx'))),
    },
  ],
}
