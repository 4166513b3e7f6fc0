import { resolve } from 'node:path'
import { Type } from 'typebox'
import { type Config, dataDir, defineSetting } from '../../foundation/config/config.ts'
import type { ArchiveLimits } from './archive/limits.ts'

export const backupsStorage = defineSetting(
  'backups.storage',
  Type.String({
    tier: 'infrastructure',
    default: 'local',
    env: 'BACKUPS_STORAGE',
    title: 'Storage of backups',
    description: 'Where the files of backups are kept: local (a folder), s3, or what a plugin adds.',
  }),
)

export const maxUploadSize = defineSetting(
  'backups.maxUploadSize',
  Type.Integer({
    tier: 'runtime',
    default: 50 * 1024 ** 3,
    minimum: 1024,
    title: 'Largest uploaded backup',
    description: 'How many bytes a backup that is uploaded may have.',
  }),
)

export const maxRowSize = defineSetting(
  'backups.maxRowSize',
  Type.Integer({
    tier: 'runtime',
    default: 16 * 1024 ** 2,
    minimum: 64 * 1024,
    maximum: 100 * 1024 ** 2,
    title: 'Largest row of a backup',
    description:
      'How many bytes one row may have as JSON. With a larger one a backup fails, and one that holds it is refused.',
  }),
)

export const maxCompression = defineSetting(
  'backups.maxCompression',
  Type.Integer({
    tier: 'runtime',
    default: 250,
    minimum: 10,
    title: 'Highest compression of a backup',
    description:
      'How many times the size of an uploaded backup its rows may have, if they have more than 256 MiB: more is refused.',
  }),
)

/** All settings, to be contributed. */
export const backupSettings = [backupsStorage, maxUploadSize, maxRowSize, maxCompression]

/** With the current settings. */
export function archiveLimits(config: Config): ArchiveLimits {
  return { maxRowBytes: config.get(maxRowSize), maxCompression: config.get(maxCompression) }
}

/**
 * Where backups are made, and where the storage `local` keeps them; processes on several machines must share
 * it then.
 */
export function backupsDirectory(config: Config): string {
  return resolve(config.workingDirectory, config.get(dataDir), 'backups')
}
