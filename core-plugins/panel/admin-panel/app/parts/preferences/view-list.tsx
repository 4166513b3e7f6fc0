import { useState } from 'react'
import type { List } from '../../content/list/list-context.ts'
import { stateFromQuery } from '../../content/list/state/list-state.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { Button } from '../../ground/kit/button/button.tsx'
import { type ListView, queryOfView } from './list-view.ts'
import { SaveView } from './save-view.tsx'
import classes from './views.module.css'

interface ViewListProps {
  readonly list: List
  readonly views: readonly ListView[]
  readonly current: ListView | undefined
}

/** The views of a type to choose from, and the form that saves one. */
export default function ViewList({ list, views, current }: ViewListProps) {
  const [isSaving, setSaving] = useState(false)
  if (isSaving) return <SaveView list={list} current={current} onDone={() => setSaving(false)} />
  return (
    <div className={classes.views}>
      {views.length === 0 ? (
        <p className={classes.hint}>{t('list.noViews')}</p>
      ) : (
        <ul aria-label={t('list.views')} className={classes.list}>
          {views.map((view) => (
            <li key={view.id}>
              <button
                type="button"
                aria-pressed={view.id === current?.id}
                className={classes.view}
                onClick={() => list.change(stateOfView(view))}
              >
                <span className={classes.name}>{view.name}</span>
                {view.roles !== null && <Badge>{t('list.shared')}</Badge>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Button icon="save" onPress={() => setSaving(true)}>
        {current === undefined ? t('list.saveView') : t('list.manageView')}
      </Button>
    </div>
  )
}

/** Sets every member, so that nothing of the previous state remains. */
function stateOfView(view: ListView) {
  const kept = stateFromQuery(queryOfView(view))
  const cleared = {
    sort: undefined,
    columns: undefined,
    publication: undefined,
    locale: undefined,
    from: undefined,
  }
  return { ...cleared, ...kept, view: view.id }
}
