import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const minFreeBytes = defineSetting(
  'advanced.storage.minFreeBytes',
  Type.Integer({
    tier: 'runtime',
    default: 512 * 1024 * 1024,
    minimum: 0,
    title: 'Least free space',
    description: 'With fewer bytes free on the disk of the data directory an alert is raised; 0 is never.',
  }),
)
