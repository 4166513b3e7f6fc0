import { resolve } from 'node:path'
import { Type } from 'typebox'
import { type Config, dataDir, defineSetting } from '../../foundation/config/config.ts'

export const maxPackageSize = defineSetting(
  'transfer.maxPackageSize',
  Type.Integer({
    tier: 'runtime',
    default: 2 * 1024 ** 3,
    minimum: 64 * 1024,
    title: 'Largest transferred package',
    description: 'How many bytes a package of a transfer may have.',
  }),
)

export const maxItemSize = defineSetting(
  'transfer.maxItemSize',
  Type.Integer({
    tier: 'runtime',
    default: 16 * 1024 ** 2,
    minimum: 64 * 1024,
    maximum: 100 * 1024 ** 2,
    title: 'Largest transferred item',
    description: 'How many bytes one item of a transfer, such as an entry, may have as JSON.',
  }),
)

export const maxItems = defineSetting(
  'transfer.maxItems',
  Type.Integer({
    tier: 'runtime',
    default: 500_000,
    minimum: 1,
    maximum: 5_000_000,
    title: 'Most items of a transfer',
    description: 'How many items one package of a transfer may change.',
  }),
)

export const maxFilesSize = defineSetting(
  'transfer.maxFilesSize',
  Type.Integer({
    tier: 'runtime',
    default: 20 * 1024 ** 3,
    minimum: 1024 ** 2,
    title: 'Room for transferred files',
    description: 'How many bytes of files may wait for the package that they belong to.',
  }),
)

/** All settings, to be contributed. */
export const transferSettings = [maxPackageSize, maxItemSize, maxItems, maxFilesSize]

/** The folder for packages that have not been applied. */
export function packagesDirectory(config: Config): string {
  return resolve(config.workingDirectory, config.get(dataDir), 'transfers')
}
