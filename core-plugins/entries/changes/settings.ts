import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const retentionDays = defineSetting(
  'changes.retentionDays',
  Type.Integer({
    tier: 'runtime',
    default: 7,
    minimum: 1,
    maximum: 365,
    title: 'Keep the change log',
    description: 'For how many days whoever follows the changes may pause without having to begin anew',
  }),
)

export const maxRows = defineSetting(
  'changes.maxRows',
  Type.Integer({
    tier: 'runtime',
    default: 1_000_000,
    minimum: 10_000,
    maximum: 100_000_000,
    title: 'Most changes kept',
    description: 'How many changes are kept at most, however young they are',
  }),
)
