import { useState } from 'react'
import { useLocation } from 'wouter'
import type { WholeRelease } from '../../../../../../client/admin.ts'
import { admin } from '../../ground/api/admin.ts'
import { minuteText, momentOf } from '../../ground/i18n/local-time.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Confirm } from '../../ground/kit/dialog/dialog.tsx'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { isToCome, OptionalMoment } from './moment-input.tsx'
import classes from './releases.module.css'
import { useReleaseChange } from './use-releases.ts'

export interface ReleaseDialogProps {
  /** The one to edit; undefined for a new one. */
  readonly release?: WholeRelease
  readonly onClose: () => void
}

/** Edits the name and time of a release. */
export default function ReleaseDialog({ release, onClose }: ReleaseDialogProps) {
  const [, navigate] = useLocation()
  const scheduledAt = release?.scheduledAt ?? undefined
  const stored = scheduledAt && minuteText(new Date(scheduledAt))
  const [name, setName] = useState(release?.name ?? '')
  const [time, setTime] = useState(stored)
  const moment = time === undefined ? undefined : momentOf(time)
  const isTimed = time === stored || time === undefined || isToCome(time)
  const change = useReleaseChange(
    async () => {
      const when = time === stored ? {} : { scheduledAt: moment?.toISOString() ?? null }
      const input = { name: name.trim(), ...when }
      return release === undefined ? admin.releases.create(input) : admin.releases.update(release.id, input)
    },
    ({ id }) => {
      onClose()
      if (release === undefined) navigate(`/releases/${id}`)
    },
  )
  return (
    <Confirm
      title={t(release === undefined ? 'releases.new' : 'releases.change')}
      isOpen
      onClose={onClose}
      action={t(release === undefined ? 'releases.create' : 'releases.save')}
      isPending={change.isPending}
      isDisabled={name.trim() === '' || !isTimed}
      onConfirm={() => change.mutate(undefined)}
    >
      <div className={classes.form}>
        {change.error !== null && (
          <p role="alert" className={classes.problem}>
            {errorText(change.error)}
          </p>
        )}
        <TextField label={t('releases.name')} value={name} onChange={setName} maxLength={255} isRequired />
        {(release === undefined || release.mayPublish) && (
          <OptionalMoment
            choice={t('releases.atTime')}
            label={t('releases.time')}
            value={time}
            onChange={setTime}
          />
        )}
      </div>
    </Confirm>
  )
}
