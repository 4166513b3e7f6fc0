import { withTexts } from './ground/i18n/translate.ts'
import { auth } from './parts/auth/part.ts'
import { extensions } from './parts/extensions/part.ts'
import { inbox } from './parts/inbox/part.ts'
import { media } from './parts/media/part.ts'
import { planning } from './parts/planning/part.ts'
import { releases } from './parts/releases/part.ts'
import { runtimeConfig } from './parts/runtime-config/part.ts'
import { schemaFiles } from './parts/schema-files/part.ts'
import { search } from './parts/search/part.ts'
import type { PanelPart, PanelParts } from './shell/panel-part.ts'

const adminPanel: PanelPart = {
  screens: [
    {
      path: '/',
      load: () => import('./screens/home.tsx'),
      navigation: { label: 'home.title', icon: 'house', group: 'work' },
    },
  ],
}

/** Jobs, including the parts of other plugins in the same area. */
const jobs: PanelPart = {
  screens: [
    {
      path: '/operations/*?',
      load: withTexts('operations', () => import('./screens/operations.tsx')),
      mayOpen: ({ isAdministrator }) => isAdministrator,
      navigation: { label: 'shell.operations', icon: 'activity', group: 'administration' },
    },
  ],
}

const content: PanelPart = {
  screens: [
    { path: '/content/:type/:id', load: withTexts('forms', () => import('./screens/entry-screen.tsx')) },
    { path: '/content/:type', load: () => import('./screens/list.tsx') },
  ],
}

const i18n: PanelPart = {
  screens: [
    {
      path: '/content/:type/:id/translate',
      load: withTexts(
        'forms',
        withTexts('translation', () => import('./screens/translation-screen.tsx')),
      ),
    },
  ],
}

/** The initial contributions by plugin name, in navigation order. */
export const parts: PanelParts = {
  'admin-panel': adminPanel,
  inbox,
  content,
  i18n,
  media,
  'schema-files': schemaFiles,
  planning,
  releases,
  jobs,
  auth,
  'runtime-config': runtimeConfig,
  extensions,
  search,
}
