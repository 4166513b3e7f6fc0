import type { CheckedSchemaFiles } from '../../../../../../../client/admin.ts'
import { type TextKey, t } from '../../../ground/i18n/translate.ts'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import classes from './review.module.css'

type Changes = CheckedSchemaFiles['sync']

/** The effects on the data: what the next start does, and what it does not do because data would be lost. */
export function SyncPreview({ changes }: { readonly changes: Changes }) {
  const safe = changes.filter((change) => change.safe)
  const lossy = changes.filter((change) => !change.safe)
  return (
    <section className={classes.part}>
      <h2>{t('model.data')}</h2>
      {changes.length === 0 && <p>{t('model.noDataChange')}</p>}
      {safe.length > 0 && (
        <>
          <p>{t('model.nextStart')}</p>
          <List changes={safe} icon="check" />
        </>
      )}
      {lossy.length > 0 && (
        <div className={classes.lossy}>
          <p>{t('model.leftUndone')}</p>
          <List changes={lossy} icon="triangle-alert" />
        </div>
      )}
    </section>
  )
}

function List({ changes, icon }: { readonly changes: Changes; readonly icon: string }) {
  return (
    <ul className={classes.changes}>
      {changes.map(({ change, table, column, reason }) => (
        <li key={`${change} ${table} ${column}`}>
          <Icon name={icon} />
          <span>
            {said(change)} <code>{column === null ? table : `${table}.${column}`}</code>
            {reason !== null && <> – {reason}</>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Describes a step. */
function said(change: string): string {
  const key = `model.sync.${change}`
  const text = t(key as TextKey)
  return text === key ? change : text
}
