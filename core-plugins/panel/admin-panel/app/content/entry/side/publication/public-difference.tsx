import type { DescribedType } from '../../../../ground/api/content-types.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import type { FieldChange } from '../../diff/change.ts'
import { Changes } from '../../diff/changes.tsx'
import type { SchemaFacts } from '../../diff/use-schema-facts.ts'
import classes from './publication.module.css'

export interface PublicDifferenceProps {
  readonly type: DescribedType
  readonly isPublic: boolean
  readonly changes: readonly FieldChange[]
  readonly facts: SchemaFacts
}

/** The changes that become visible to readers. */
export function PublicDifference({ type, isPublic, changes, facts }: PublicDifferenceProps) {
  const shown = <Changes attributes={type.attributes} changes={changes} layout="inline" facts={facts} />
  if (!isPublic) {
    return (
      <section className={classes.difference}>
        <p>{t('publication.allNew')}</p>
        <details className={classes.details}>
          <summary>{t('publication.showContent')}</summary>
          {shown}
        </details>
      </section>
    )
  }
  return (
    <section className={classes.difference}>
      <h3>{t('publication.difference', { count: changes.length })}</h3>
      {shown}
    </section>
  )
}
