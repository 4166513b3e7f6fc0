import type { Access } from '../ground/access/access.ts'
import { withTexts } from '../ground/i18n/translate.ts'
import type { Section } from './screen.ts'

const webhookReader = {
  plugin: 'webhooks',
  permission: 'webhooks.read',
  mayOpen: ({ mayArea }: Access) => mayArea('webhooks'),
}

const webhookWriter = {
  plugin: 'webhooks',
  permission: 'webhooks.write',
  mayOpen: ({ mayArea }: Access) => mayArea('webhooks', 'write'),
}

const backupReader = {
  plugin: 'backups',
  permission: 'backups.read',
  mayOpen: ({ mayArea }: Access) => mayArea('backups'),
}

/** The screens of the area; those that have no name are reached from others. */
export const sections: readonly Section[] = [
  {
    path: '/operations/alerts',
    label: 'operations.alerts.title',
    load: withTexts('resources', () => import('../parts/alerts/alerts.tsx')),
    plugin: 'alerts',
    permission: 'alerts.read',
    mayOpen: ({ mayArea }) => mayArea('alerts'),
  },
  {
    path: '/operations/jobs',
    label: 'operations.jobs.title',
    load: withTexts('resources', () => import('../parts/jobs/jobs.tsx')),
    permission: 'jobs.read',
    mayOpen: ({ mayArea }) => mayArea('jobs'),
  },
  {
    path: '/operations/schedules',
    label: 'operations.schedules.title',
    load: withTexts('resources', () => import('../parts/schedules/schedules.tsx')),
    plugin: 'schedules',
    permission: 'jobs.read',
    mayOpen: ({ mayArea }) => mayArea('jobs'),
  },
  {
    path: '/operations/webhooks',
    label: 'operations.webhooks.title',
    load: withTexts('resources', () => import('../parts/webhooks/webhooks.tsx')),
    ...webhookReader,
  },
  {
    path: '/operations/webhooks/dead-letters',
    load: withTexts('resources', () => import('../parts/webhooks/dead-letters.tsx')),
    ...webhookReader,
  },
  {
    path: '/operations/webhooks/new',
    load: () => import('../parts/webhooks/new-webhook.tsx'),
    ...webhookWriter,
  },
  {
    path: '/operations/webhooks/:id',
    load: withTexts('resources', () => import('../parts/webhooks/webhook-screen.tsx')),
    ...webhookReader,
  },
  {
    path: '/operations/webhooks/:id/edit',
    load: () => import('../parts/webhooks/edit-webhook.tsx'),
    ...webhookWriter,
  },
  {
    path: '/operations/backups',
    label: 'operations.backups.title',
    load: withTexts('resources', () => import('../parts/backups/backups.tsx')),
    ...backupReader,
  },
  {
    path: '/operations/backups/:id',
    load: withTexts('resources', () => import('../parts/backups/backup-screen.tsx')),
    ...backupReader,
  },
  {
    path: '/operations/audit',
    label: 'operations.audit.title',
    load: withTexts('resources', () => import('../parts/audit/audit.tsx')),
    plugin: 'audit',
    permission: 'audit.read',
    mayOpen: ({ mayArea }) => mayArea('audit'),
  },
  {
    path: '/operations/database',
    label: 'operations.database.title',
    load: withTexts('resources', () => import('../parts/database/database.tsx')),
    permission: 'database.read',
    mayOpen: ({ mayArea }) => mayArea('database'),
  },
  {
    path: '/operations/metrics',
    label: 'operations.metrics.title',
    load: withTexts('resources', () => import('../parts/metrics/metrics.tsx')),
    plugin: 'metrics',
    permission: 'metrics.read',
    mayOpen: ({ mayArea }) => mayArea('metrics'),
  },
  {
    path: '/operations/plugins',
    label: 'operations.plugins.title',
    load: withTexts('resources', () => import('../parts/extensions/plugins/plugins.tsx')),
    mayOpen: ({ isAdministrator }) => isAdministrator,
  },
  {
    path: '/operations/themes',
    label: 'operations.themes.title',
    load: withTexts('resources', () => import('../parts/extensions/themes/themes.tsx')),
    permission: 'config.read',
    mayOpen: ({ mayArea }) => mayArea('config'),
  },
]
