import { StartupError } from '../../../../kernel/index.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { backupsStorage } from '../settings.ts'
import type { ArchiveStore, ArchiveStoreKind } from './archive-store.ts'

/** @throws StartupError if there is no such store, or if it is not configured */
export async function openConfiguredArchives(
  config: Config,
  kinds: readonly ArchiveStoreKind[],
): Promise<ArchiveStore> {
  const type = config.get(backupsStorage)
  const kind = kinds.find((candidate) => candidate.type === type)
  if (kind !== undefined) return kind.open()
  const known = kinds.map((candidate) => candidate.type)
  throw new StartupError('Backups cannot be stored:', [
    {
      subject: config.envNameOf(backupsStorage),
      message: `is ${type}, which no active plugin brings`,
      remedy: `set it to one of ${known.sort().join(', ')}`,
    },
  ])
}
