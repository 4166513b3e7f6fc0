import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReleaseAction, WholeRelease } from '../../../../../../client/admin.ts'
import { searchTargets } from '../../content/fields/relation/targets.ts'
import { admin } from '../../ground/api/admin.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { Checkbox } from '../../ground/kit/checkbox/checkbox.tsx'
import { Confirm } from '../../ground/kit/dialog/dialog.tsx'
import { Select } from '../../ground/kit/field/select.tsx'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { ActionSelect } from './action-select.tsx'
import classes from './releases.module.css'
import { useReleaseChange } from './use-releases.ts'

export interface AddEntriesDialogProps {
  readonly release: WholeRelease
  /** The types that the user may publish. */
  readonly types: readonly DescribedType[]
  readonly onClose: () => void
}

/** Searches entries by title and adds them to a release. */
export default function AddEntriesDialog({ release, types, onClose }: AddEntriesDialogProps) {
  const [name, setName] = useState(types[0]?.name ?? '')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [action, setAction] = useState<ReleaseAction>('publish')
  const type = types.find((each) => each.name === name)
  const add = useReleaseChange(
    () => admin.releases.put(release.id, { contentType: name, entryIds: [...chosen], action }),
    onClose,
  )
  return (
    <Confirm
      title={t('releases.addEntries')}
      isOpen
      onClose={onClose}
      size="m"
      action={t('releases.add', { count: chosen.size })}
      isPending={add.isPending}
      isDisabled={chosen.size === 0}
      onConfirm={() => add.mutate(undefined)}
    >
      <div className={classes.form}>
        {add.error !== null && (
          <p role="alert" className={classes.problem}>
            {errorText(add.error)}
          </p>
        )}
        <Select
          label={t('releases.type')}
          value={name}
          onChange={(next) => {
            setName(next)
            setChosen(new Set())
          }}
          options={types.map((each) => ({ value: each.name, label: each.info.displayName }))}
        />
        {type !== undefined && (
          <Found key={name} type={type} release={release} chosen={chosen} onChoose={setChosen} />
        )}
        <ActionSelect value={action} onChange={setAction} />
      </div>
    </Confirm>
  )
}

interface FoundProps {
  readonly type: DescribedType
  readonly release: WholeRelease
  readonly chosen: ReadonlySet<number>
  readonly onChoose: (chosen: ReadonlySet<number>) => void
}

/** Search results; chosen entries stay chosen across searches. */
function Found({ type, release, chosen, onChoose }: FoundProps) {
  const [text, setText] = useState('')
  const { data, error } = useQuery({
    queryKey: ['release-entries', type.name, text],
    queryFn: ({ signal }) => searchTargets(type, { text: text.trim(), locale: undefined, signal }),
    placeholderData: keepPreviousData,
  })
  const known = new Set(
    release.entries.filter(({ contentType }) => contentType === type.name).map(({ entryId }) => entryId),
  )
  function choose(id: number, isChosen: boolean) {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    onChoose(next)
  }
  return (
    <>
      <TextField label={t('releases.search')} type="search" value={text} onChange={setText} />
      {error !== null && <p className={classes.problem}>{errorText(error)}</p>}
      {data === undefined && error === null && <Skeleton />}
      <ul className={classes.found}>
        {data?.map(({ id, title }) => (
          <li key={id} className={classes.foundEntry}>
            <Checkbox
              isSelected={chosen.has(id)}
              isDisabled={known.has(id)}
              onChange={(isChosen) => choose(id, isChosen)}
            >
              {title}
            </Checkbox>
            {known.has(id) && <Badge>{t('releases.isIn')}</Badge>}
          </li>
        ))}
      </ul>
      {data?.length === 0 && <p className={classes.quiet}>{t('kit.noMatch')}</p>}
    </>
  )
}
