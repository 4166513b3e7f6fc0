import { t } from '../../i18n/translate.ts'
import { indexAfterMove } from './moved-to.ts'

/** The announcement of the new position of an item moved before another one. */
export const movedText = (from: number, before: number, count: number): string =>
  t('sortable.moved', { position: indexAfterMove(from, before) + 1, count })
