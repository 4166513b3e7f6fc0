import { defineSetting } from '../config/config.ts'

export const maxRevisions = defineSetting<number>({
  key: 'advanced.revisions.max',
  tier: 'runtime',
  type: 'integer',
  default: 50,
  min: 1,
  max: 1_000,
  label: 'Keep revisions',
  description: 'How many revisions are kept of each entry; older ones are deleted as new ones come.',
})
