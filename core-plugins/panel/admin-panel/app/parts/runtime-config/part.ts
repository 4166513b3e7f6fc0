import type { Access } from '../../ground/access/access.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

const rights = { permission: 'config.read', mayOpen: (access: Access) => access.mayArea('config') }

export const runtimeConfig: PanelPart = {
  screens: [
    {
      path: '/settings',
      load: () => import('./settings-list.tsx'),
      ...rights,
      navigation: { label: 'settings.title', icon: 'settings', group: 'administration' },
    },
    { path: '/settings/:category', load: () => import('./category-screen.tsx'), ...rights },
  ],
}
