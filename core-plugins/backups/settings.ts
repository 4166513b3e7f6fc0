import { resolve } from 'node:path'
import { type Config, dataDir, defineSetting } from '../config/config.ts'

export const maxUploadSize = defineSetting<number>({
  key: 'backups.maxUploadSize',
  tier: 'runtime',
  type: 'integer',
  default: 50 * 1024 ** 3,
  min: 1024,
  label: 'Largest uploaded backup',
  description: 'How many bytes a backup that is uploaded may have.',
})

/** Where backups are kept; processes on several machines need a folder that they share. */
export function backupsDirectory(config: Config): string {
  return resolve(config.workingDirectory, config.get(dataDir), 'backups')
}
