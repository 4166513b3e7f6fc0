import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import classes from './list.module.css'
import type { List } from './list-context.ts'

/** The button to continue after the last loaded row: a list loads at most a thousand. */
export default function RestOfList({ list: { entries, state, change } }: { readonly list: List }) {
  return (
    <div className={classes.rest}>
      {state.from !== undefined && (
        <Button size="s" icon="arrow-up" onPress={() => change({ from: undefined })}>
          {t('list.toStart')}
        </Button>
      )}
      {entries.nextFrom !== undefined && (
        <Button size="s" icon="arrow-down" onPress={() => change({ from: entries.nextFrom })}>
          {t('list.goOn', { count: entries.rows.length })}
        </Button>
      )}
    </div>
  )
}
