import { type Log, StartupError } from '../../../../kernel/index.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { storageType, uploadDir } from '../settings.ts'
import type { MediaStorage, StorageKind } from '../storage.ts'
import { guardKeys } from './guarded-storage.ts'

/** @throws StartupError if there is no such storage, or if it cannot be used */
export async function openConfiguredStorage(
  config: Config,
  kinds: readonly StorageKind[],
  log: Log,
): Promise<MediaStorage> {
  const type = config.get(storageType)
  const kind = kinds.find((candidate) => candidate.type === type)
  if (kind === undefined) {
    const known = kinds.map((candidate) => candidate.type).join(', ')
    throw problem(config, `is ${type}, which no active plugin brings`, `set it to one of ${known}`)
  }
  try {
    return guardKeys(await kind.open({ log }))
  } catch (error) {
    if (error instanceof StartupError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const remedy =
      type === 'local'
        ? `see to it that ${config.envNameOf(uploadDir)} is a folder that can be written to`
        : 'look at its settings'
    throw problem(config, `is ${type}, which cannot be used: ${reason}`, remedy)
  }
}

function problem(config: Config, message: string, remedy: string): StartupError {
  return new StartupError('Files cannot be stored:', [
    { subject: config.envNameOf(storageType), message, remedy },
  ])
}
