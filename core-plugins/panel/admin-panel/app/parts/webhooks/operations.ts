import type { Access } from '../../ground/access/access.ts'
import { withTexts } from '../../ground/i18n/translate.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

const reader = { permission: 'webhooks.read', mayOpen: ({ mayArea }: Access) => mayArea('webhooks') }

const writer = {
  permission: 'webhooks.write',
  mayOpen: ({ mayArea }: Access) => mayArea('webhooks', 'write'),
}

export const webhooks: PanelPart = {
  sections: [
    {
      path: '/operations/webhooks',
      label: 'operations.webhooks.title',
      load: withTexts('resources', () => import('./webhooks.tsx')),
      ...reader,
    },
    {
      path: '/operations/webhooks/dead-letters',
      load: withTexts('resources', () => import('./dead-letters.tsx')),
      ...reader,
    },
    { path: '/operations/webhooks/new', load: () => import('./new-webhook.tsx'), ...writer },
    {
      path: '/operations/webhooks/:id',
      load: withTexts('resources', () => import('./webhook-screen.tsx')),
      ...reader,
    },
    { path: '/operations/webhooks/:id/edit', load: () => import('./edit-webhook.tsx'), ...writer },
  ],
}
