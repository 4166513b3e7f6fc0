import { resolve } from 'node:path'
import { Type } from 'typebox'
import { type Config, dataDir, defineSetting } from '../../foundation/config/config.ts'

export const maxImportBytes = defineSetting(
  'import.maxBytes',
  Type.Integer({
    tier: 'infrastructure',
    default: 1024 * 1024 * 1024,
    minimum: 1,
    title: 'Largest import',
    description: 'Of a file that is imported over HTTP, in bytes.',
  }),
)

export const allowPrivateNetworks = defineSetting(
  'import.allowPrivateNetworks',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    title: 'Private sources of media',
    description:
      'Lets imports fetch media from private and loopback addresses in production; in development they always may',
  }),
)

export const importSettings = [maxImportBytes, allowPrivateNetworks]

/** The absolute path of the folder for the files of unfinished imports. */
export function importsDirectory(config: Config): string {
  return resolve(config.workingDirectory, config.get(dataDir), 'imports')
}
