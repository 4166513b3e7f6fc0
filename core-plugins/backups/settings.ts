import { resolve } from 'node:path'
import { type Config, dataDir, defineSetting } from '../config/config.ts'
import type { ArchiveLimits } from './archive/limits.ts'

export const backupsStorage = defineSetting({
  key: 'backups.storage',
  tier: 'infrastructure',
  type: 'string',
  default: 'local',
  env: 'BACKUPS_STORAGE',
  label: 'Storage of backups',
  description: 'Where the files of backups are kept: local (a folder), s3, or what a plugin adds.',
})

export const maxUploadSize = defineSetting<number>({
  key: 'backups.maxUploadSize',
  tier: 'runtime',
  type: 'integer',
  default: 50 * 1024 ** 3,
  min: 1024,
  label: 'Largest uploaded backup',
  description: 'How many bytes a backup that is uploaded may have.',
})

export const maxRowSize = defineSetting<number>({
  key: 'backups.maxRowSize',
  tier: 'runtime',
  type: 'integer',
  default: 16 * 1024 ** 2,
  min: 64 * 1024,
  max: 100 * 1024 ** 2,
  label: 'Largest row of a backup',
  description:
    'How many bytes one row may have as JSON. With a larger one a backup fails, and one that holds it is refused.',
})

export const maxCompression = defineSetting<number>({
  key: 'backups.maxCompression',
  tier: 'runtime',
  type: 'integer',
  default: 250,
  min: 10,
  label: 'Highest compression of a backup',
  description:
    'How many times the size of an uploaded backup its rows may have, if they have more than 256 MiB: more is refused.',
})

/** All of them, to be contributed. */
export const backupSettings = [backupsStorage, maxUploadSize, maxRowSize, maxCompression]

/** As the settings are now. */
export function archiveLimits(config: Config): ArchiveLimits {
  return { maxRowBytes: config.get(maxRowSize), maxCompression: config.get(maxCompression) }
}

/** Where backups are made, and kept by the storage `local`; processes on several machines need to share it then. */
export function backupsDirectory(config: Config): string {
  return resolve(config.workingDirectory, config.get(dataDir), 'backups')
}
