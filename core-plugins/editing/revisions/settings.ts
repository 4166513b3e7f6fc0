import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const visibleToEditors = defineSetting(
  'advanced.revisions.visibleToEditors',
  Type.Boolean({
    tier: 'runtime',
    default: false,
    title: 'Show revisions to editors',
    description:
      'Whether admin users who may update entries of a type see and restore their revisions, as far as they may see the entries. Otherwise only administrators do.',
  }),
)

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
