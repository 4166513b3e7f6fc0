import { useState } from 'react'
import { minuteText, momentOf } from '../../ground/i18n/local-time.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Confirm } from '../../ground/kit/dialog/dialog.tsx'
import { isToCome, MomentInput } from '../releases/moment-input.tsx'
import type { Planned } from './planned.ts'

export interface MovePlannedDialogProps {
  readonly item: Planned
  readonly onMove: (moment: Date) => void
  readonly onClose: () => void
}

/** Asks for the new day and time of an item. */
export default function MovePlannedDialog({ item, onMove, onClose }: MovePlannedDialogProps) {
  const [time, setTime] = useState(minuteText(new Date(item.at)))
  const moment = momentOf(time)
  function move() {
    if (moment !== undefined) onMove(moment)
    onClose()
  }
  return (
    <Confirm
      title={t('calendar.moveTitle', { title: item.title })}
      isOpen
      onClose={onClose}
      action={t('calendar.moveDo')}
      isDisabled={!isToCome(time)}
      onConfirm={move}
    >
      <MomentInput label={t('releases.time')} value={time} onChange={setTime} />
    </Confirm>
  )
}
