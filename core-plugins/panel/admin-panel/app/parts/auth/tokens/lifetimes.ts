import { t } from '../../../ground/i18n/translate.ts'

const dayMs = 86_400_000

/** The option for a token that never expires. */
export const never = 'never'

/** The expiry time for each offered lifetime, from now; the last one is never. */
export const lifetimesFromNow = () => [
  ...[30, 90, 365].map((days) => ({
    value: new Date(Date.now() + days * dayMs).toISOString(),
    label: t('people.tokens.days', { count: days }),
  })),
  { value: never, label: t('people.tokens.noExpiry') },
]

/** The request value for a chosen lifetime. */
export const endOf = (lifetime: string) => (lifetime === never ? null : lifetime)
