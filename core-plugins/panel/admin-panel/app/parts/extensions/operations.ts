import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const extensions: PanelPart = {
  sections: [
    {
      path: '/operations/plugins',
      label: 'operations.plugins.title',
      load: withTexts('resources', () => import('./plugins/plugins.tsx')),
      mayOpen: ({ isAdministrator }) => isAdministrator,
    },
    {
      path: '/operations/themes',
      label: 'operations.themes.title',
      load: withTexts('resources', () => import('./themes/themes.tsx')),
      permission: 'config.read',
      mayOpen: ({ mayArea }) => mayArea('config'),
    },
  ],
}
