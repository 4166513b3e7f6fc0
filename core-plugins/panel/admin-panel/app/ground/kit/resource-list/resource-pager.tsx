import type { Pagination } from '../../../../../../../client/client.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../button/button.tsx'
import classes from './resource-list.module.css'
import { pageSize } from './use-resource.ts'

interface ResourcePagerProps {
  readonly pagination: Pagination
  readonly count: number
  readonly onGo: (offset: number) => void
}

/** The range of rows shown, the total, and buttons to change the page. */
export function ResourcePager({ pagination, count, onGo }: ResourcePagerProps) {
  const { offset = 0, limit = pageSize, total = 0, hasMore } = pagination
  return (
    <div className={classes.pager}>
      <p role="status" className={classes.range}>
        {t('resources.range', { from: offset + 1, to: offset + count, total })}
      </p>
      {(offset > 0 || hasMore) && (
        <nav aria-label={t('resources.pages')} className={classes.turn}>
          <Button
            icon="chevron-left"
            isDisabled={offset === 0}
            onPress={() => onGo(Math.max(0, offset - limit))}
          >
            {t('resources.previous')}
          </Button>
          <Button icon="chevron-right" isDisabled={!hasMore} onPress={() => onGo(offset + limit)}>
            {t('resources.next')}
          </Button>
        </nav>
      )}
    </div>
  )
}
