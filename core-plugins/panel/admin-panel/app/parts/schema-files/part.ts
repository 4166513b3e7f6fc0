import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const schemaFiles: PanelPart = {
  screens: [
    {
      path: '/model/*?',
      load: withTexts('model', () => import('./model.tsx')),
      permission: 'schemas.read',
      mayOpen: ({ mayArea }) => mayArea('schemas'),
      navigation: { label: 'shell.model', icon: 'boxes', group: 'administration' },
    },
  ],
}
