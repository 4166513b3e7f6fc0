import { defineSetting } from '../config/config.ts'

export const minFreeBytes = defineSetting<number>({
  key: 'advanced.storage.minFreeBytes',
  tier: 'runtime',
  type: 'integer',
  default: 512 * 1024 * 1024,
  min: 0,
  label: 'Least free space',
  description: 'With fewer bytes free on the disk of the data directory an alert is raised; 0 is never.',
})
