import { defineSetting } from '../config/config.ts'

export const retentionDays = defineSetting<number>({
  key: 'advanced.audit.retentionDays',
  tier: 'runtime',
  type: 'integer',
  default: 365,
  min: 0,
  max: 36_500,
  label: 'Keep the audit log',
  description: 'For how many days entries of the audit log are kept; 0 keeps them for ever.',
})
