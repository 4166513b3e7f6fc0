import type { BadgeProps } from '../../ground/kit/badge/badge.tsx'

export const sectionNames = ['content', 'media', 'config', 'schemas', 'components'] as const

export type SectionName = (typeof sectionNames)[number]
type BackupStatus = 'pending' | 'running' | 'completed' | 'failed'

/** A restore of a backup, ended or under way. */
export interface LastRestore {
  readonly status: 'pending' | 'committed' | 'completed' | 'failed'
  readonly created_at: string
  readonly completed_at: string | null
  readonly error: string | null
}

/** A backup, as the service answers it. */
export interface Backup {
  readonly id: number
  readonly name: string
  readonly status: BackupStatus
  readonly sections: Readonly<Record<SectionName, boolean>>
  /** Bytes; null until it is completed. */
  readonly size: number | null
  readonly checksum: string | null
  readonly retentionDays: number
  readonly expires_at: string
  readonly created_at: string
  readonly error: string | null
  /** Only where one backup is asked for. */
  readonly lastRestore?: LastRestore | null
}

export const backupsResource = { key: 'backups', path: '/admin/backups', refreshMs: 5_000 }
export const backupsScreen = '/operations/backups'

export const backupTones: Readonly<Record<BackupStatus, NonNullable<BadgeProps['tone']>>> = {
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
