import { Type } from 'typebox'
import { defineSetting } from '../config/config.ts'

export const maxRevisions = defineSetting(
  'advanced.revisions.max',
  Type.Integer({
    tier: 'runtime',
    default: 50,
    minimum: 1,
    maximum: 1_000,
    title: 'Keep revisions',
    description: 'How many revisions to keep of each entry; older ones are deleted when new ones are added.',
  }),
)
