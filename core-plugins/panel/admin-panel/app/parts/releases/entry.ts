import { t, withTexts } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const releases: PanelPart = {
  entryMenu: [
    {
      id: 'release',
      label: () => t('removal.addToRelease'),
      icon: 'package',
      mayShow: ({ type, access }) =>
        type.options.draftAndPublish === true && access.mayContent(type.name, 'publish'),
      dialog: lazyPart(withTexts('calendar', () => import('./add-to-release-dialog.tsx'))),
    },
  ],
}
