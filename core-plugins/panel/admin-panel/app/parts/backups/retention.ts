import { t } from '../../ground/i18n/translate.ts'

/** Parses the number of days. @throws Error with a message for the form */
export function retentionOf(typed: string): number {
  const days = Number(typed.replace(',', '.'))
  if (typed.trim() === '' || Number.isNaN(days)) throw new Error(t('operations.backups.retentionWrong'))
  return days
}
