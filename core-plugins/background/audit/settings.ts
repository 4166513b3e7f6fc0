import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const retentionDays = defineSetting(
  'advanced.audit.retentionDays',
  Type.Integer({
    tier: 'runtime',
    default: 365,
    minimum: 0,
    maximum: 36_500,
    title: 'Keep the audit log',
    description: 'For how many days entries of the audit log are kept; 0 keeps them for ever.',
  }),
)
