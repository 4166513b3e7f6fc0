import { t } from '../../../ground/i18n/translate.ts'

const dayMs = 86_400_000

/** The end of a token that never ends, as an option of a list. */
export const never = 'never'

/** When a token would end that were made now, for each lifetime offered; the last one is never. */
export const lifetimesFromNow = () => [
  ...[30, 90, 365].map((days) => ({
    value: new Date(Date.now() + days * dayMs).toISOString(),
    label: t('people.tokens.days', { count: days }),
  })),
  { value: never, label: t('people.tokens.noExpiry') },
]

/** What is sent for a lifetime that was chosen. */
export const endOf = (lifetime: string) => (lifetime === never ? null : lifetime)
