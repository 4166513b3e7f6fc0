import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { useEntry } from '../../entry/entry-session.ts'
import { referencesAtOnce } from '../references/use-references.ts'
import classes from './relation.module.css'
import { TargetLabel } from './target-label.tsx'
import { readTargets } from './targets.ts'

export interface InverseListProps {
  readonly type: DescribedType
  /** The field of that type that refers to this entry. */
  readonly mappedBy: string
}

/** Entries that refer to this one. They own the relation, so the list is read-only and links to them. */
export function InverseList({ type, mappedBy }: InverseListProps) {
  const { id } = useEntry()
  const [limit, setLimit] = useState(referencesAtOnce)
  const { data } = useQuery({
    queryKey: ['targets', type.name, 'inverse', mappedBy, id, limit],
    queryFn: ({ signal }) => readTargets(type, { filters: { [mappedBy]: id }, limit: limit + 1, signal }),
    placeholderData: keepPreviousData,
    enabled: id !== undefined,
  })
  if (id !== undefined && data === undefined) return <Skeleton lines={1} />
  const targets = data ?? []
  return (
    <>
      {targets.length === 0 && <p className={classes.note}>{t('relation.none')}</p>}
      <ul className={classes.inverse}>
        {targets.slice(0, limit).map((target) => (
          <li key={target.id} className={classes.inverseItem}>
            <TargetLabel type={type} id={target.id} target={target} />
          </li>
        ))}
      </ul>
      {targets.length > limit && limit < maxShown && (
        <Button size="s" look="plain" onPress={() => setLimit(maxShown)}>
          {t('relation.more')}
        </Button>
      )}
      {targets.length > limit && limit === maxShown && (
        <a href={`/admin/content/${type.name}`}>{t('relation.all', { name: type.info.pluralName })}</a>
      )}
    </>
  )
}

/** An API page has 100 entries; the hundredth shows that there are more. */
const maxShown = 99
