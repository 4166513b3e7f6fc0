import type { Access } from '../../ground/access/access.ts'
import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'
import { UploadCorner } from './upload/upload-corner.tsx'

const rights = { permission: 'media.read', mayOpen: (access: Access) => access.mayMedia('read') }

export const media: PanelPart = {
  screens: [
    {
      path: '/media',
      load: withTexts('forms', () => import('./media.tsx')),
      ...rights,
      navigation: { label: 'shell.media', icon: 'image', group: 'work' },
    },
    { path: '/media/:id', load: withTexts('forms', () => import('./details/details.tsx')), ...rights },
  ],
  overlays: [UploadCorner],
}
