import type { Backup as ListedBackup, WholeBackup } from '../../../../../../client/admin.ts'
import type { BadgeProps } from '../../ground/kit/badge/badge.tsx'

export const sectionNames = ['content', 'media', 'config', 'schemas', 'components'] as const

export type SectionName = (typeof sectionNames)[number]

/** A backup as listed, or as read by id with its last restore. */
export type Backup = ListedBackup & Partial<Pick<WholeBackup, 'lastRestore'>>

export const backupsResource = { key: 'backups', path: '/admin/backups', refreshMs: 5_000 }
export const backupsScreen = '/operations/backups'

export const backupTones: Readonly<Record<Backup['status'], NonNullable<BadgeProps['tone']>>> = {
  pending: 'neutral',
  running: 'info',
  completed: 'success',
  failed: 'danger',
}

export const isBeingMade = ({ status }: Backup): boolean => status === 'pending' || status === 'running'

/** Whether a restore is running, possibly started by another user or before a reload. */
export const isRestoring = ({ lastRestore }: Backup): boolean =>
  lastRestore?.status === 'pending' || lastRestore?.status === 'committed'

/** The sections that a backup has, in their usual order. */
export const sectionsOf = ({ sections }: Pick<Backup, 'sections'>): readonly SectionName[] =>
  sectionNames.filter((name) => sections[name])

/** The choice in the format of the API. */
export const asChoice = (chosen: readonly string[]): Readonly<Record<string, boolean>> =>
  Object.fromEntries(chosen.map((name) => [name, true]))
