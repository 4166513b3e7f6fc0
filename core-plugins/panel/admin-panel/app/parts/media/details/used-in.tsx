import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../ground/api/client.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { UsageList } from './usage-list.tsx'
import classes from './used-in.module.css'

const few = 10
const more = 100

/** The fields of entries that refer to the file. */
export function UsedIn({ id }: { readonly id: number }) {
  const [limit, setLimit] = useState(few)
  const { data, error } = useQuery({
    queryKey: ['media', 'usage', id, limit],
    queryFn: ({ signal }) => api.media.usage(id, { limit, signal }),
    placeholderData: (previous) => previous,
  })
  const total = data?.pagination.total ?? 0
  return (
    <section className={classes.usedIn} aria-labelledby="used-in">
      <h2 id="used-in">{t('media.usedIn')}</h2>
      {data === undefined && error === null && <Skeleton lines={2} />}
      {error !== null && <p role="alert">{errorText(error)}</p>}
      {data !== undefined && total === 0 && <p className={classes.none}>{t('media.notUsed')}</p>}
      {data !== undefined && <UsageList usages={data.data} total={total} />}
      {total > limit && limit < more && (
        <Button size="s" onPress={() => setLimit(more)}>
          {t('media.showMore')}
        </Button>
      )}
    </section>
  )
}
