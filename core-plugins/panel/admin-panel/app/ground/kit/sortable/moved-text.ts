import { t } from '../../i18n/translate.ts'
import { indexAfterMove } from './moved-to.ts'

/** Says where an item is now that was put in front of another one. */
export const movedText = (from: number, before: number, count: number): string =>
  t('sortable.moved', { position: indexAfterMove(from, before) + 1, count })
