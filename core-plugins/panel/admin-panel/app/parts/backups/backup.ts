import type { Backup as ListedBackup, WholeBackup } from '../../../../../../client/admin.ts'
import type { BadgeProps } from '../../ground/kit/badge/badge.tsx'

export const sectionNames = ['content', 'media', 'config', 'schemas', 'components'] as const

export type SectionName = (typeof sectionNames)[number]

/** A backup of the list, or the one that was asked for. */
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

/** Whoever asked for it may have left, or loaded the page again. */
export const isRestoring = ({ lastRestore }: Backup): boolean =>
  lastRestore?.status === 'pending' || lastRestore?.status === 'committed'

/** The sections that a backup has, in their usual order. */
export const sectionsOf = ({ sections }: Pick<Backup, 'sections'>): readonly SectionName[] =>
  sectionNames.filter((name) => sections[name])

/** As the service takes a choice. */
export const asChoice = (chosen: readonly string[]): Readonly<Record<string, boolean>> =>
  Object.fromEntries(chosen.map((name) => [name, true]))
