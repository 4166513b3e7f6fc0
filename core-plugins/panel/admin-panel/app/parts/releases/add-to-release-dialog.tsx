import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Release, ReleaseAction } from '../../../../../../client/admin.ts'
import { admin } from '../../ground/api/admin.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Confirm } from '../../ground/kit/dialog/dialog.tsx'
import { Select } from '../../ground/kit/field/select.tsx'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { ActionSelect } from './action-select.tsx'
import classes from './releases.module.css'
import { listed, useReleaseChange, useReleases } from './use-releases.ts'

export interface AddToReleaseDialogProps {
  readonly type: DescribedType
  readonly ids: readonly number[]
  readonly onClose: () => void
  /** Called when they have been added. */
  readonly onDone?: () => void
}

/** The option for a new release. */
const fresh = 'new'

/** Adds entries to an open release or to a new one. */
export default function AddToReleaseDialog(props: AddToReleaseDialogProps) {
  const { ids, onClose } = props
  const { data, error } = useReleases('open')
  const open = (data ?? []).filter(({ status }) => status !== 'publishing')
  const [chosen, setChosen] = useState<string>()
  const [name, setName] = useState('')
  const [action, setAction] = useState<ReleaseAction>('publish')
  const into = chosen ?? String(open[0]?.id ?? fresh)
  const add = useAddition(props, { into, name: name.trim(), action })
  const isReady = data !== undefined && (into !== fresh || name.trim() !== '')
  return (
    <Confirm
      title={t('releases.addTo', { count: ids.length })}
      isOpen
      onClose={onClose}
      action={t('releases.add', { count: ids.length })}
      isPending={add.isPending}
      isDisabled={!isReady}
      onConfirm={() => add.mutate(undefined)}
    >
      <div className={classes.form}>
        {[error, add.error].map(
          (each) =>
            each !== null && (
              <p key={each.message} role="alert" className={classes.problem}>
                {errorText(each)}
              </p>
            ),
        )}
        {data === undefined && error === null && <Skeleton />}
        <Select
          label={t('releases.into')}
          value={into}
          onChange={setChosen}
          options={[
            ...open.map((release) => ({ value: String(release.id), label: release.name })),
            { value: fresh, label: t('releases.intoNew') },
          ]}
        />
        {data?.length === listed && <p>{t('releases.newest', { count: listed })}</p>}
        {into === fresh && (
          <TextField label={t('releases.name')} value={name} onChange={setName} maxLength={255} isRequired />
        )}
        <ActionSelect value={action} onChange={setAction} />
      </div>
    </Confirm>
  )
}

interface Addition {
  /** The id of a release, or `fresh`. */
  readonly into: string
  /** The name of a new release. */
  readonly name: string
  readonly action: ReleaseAction
}

function useAddition(
  { type, ids, onClose, onDone }: AddToReleaseDialogProps,
  { into, name, action }: Addition,
) {
  const [, navigate] = useLocation()
  const made = useRef<Release>(undefined)
  /** If adding entries failed before, the release exists already. */
  async function create() {
    if (made.current?.name !== name) made.current = await admin.releases.create({ name })
    return made.current
  }
  return useReleaseChange(
    async () => {
      const release = into === fresh ? await create() : await admin.releases.get(Number(into))
      await admin.releases.put(release.id, { contentType: type.name, entryIds: ids, action })
      return release
    },
    (release) => {
      onClose()
      onDone?.()
      const open = { label: t('releases.open'), onAction: () => navigate(`/releases/${release.id}`) }
      toast('success', t('releases.added', { count: ids.length, name: release.name }), open)
    },
  )
}
