import { t } from '../../ground/i18n/translate.ts'

/** The days that somebody has typed. @throws Error in words for the form */
export function retentionOf(typed: string): number {
  const days = Number(typed.replace(',', '.'))
  if (typed.trim() === '' || Number.isNaN(days)) throw new Error(t('operations.backups.retentionWrong'))
  return days
}
