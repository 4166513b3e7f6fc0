import { t } from '../../../ground/i18n/translate.ts'
import type { ReferencesChange } from './change.ts'
import classes from './diff.module.css'
import { type NamedReference, useNamedReferences } from './use-named-references.ts'
import type { SchemaFacts } from './use-schema-facts.ts'

/** Shows added and removed references: entries by title, files by thumbnail. */
export function References({
  change,
  facts,
}: {
  readonly change: ReferencesChange
  readonly facts: SchemaFacts
}) {
  const { target, added, removed, isReordered } = change
  const named = useNamedReferences(target, [...removed, ...added], facts.types)
  return (
    <div className={classes.references}>
      {removed.map((id) => (
        <Reference key={`-${id}`} tag="del" reference={named(id)} />
      ))}
      {added.map((id) => (
        <Reference key={`+${id}`} tag="ins" reference={named(id)} />
      ))}
      {isReordered && <span className={classes.note}>{t('diff.reordered')}</span>}
    </div>
  )
}

function Reference({
  reference,
  tag: Tag,
}: {
  readonly reference: NamedReference
  readonly tag: 'del' | 'ins'
}) {
  const { title, picture } = reference
  return (
    <Tag className={`${classes.reference} ${Tag === 'ins' ? classes.added : classes.removed}`}>
      {picture !== undefined && <img src={picture} alt="" className={classes.picture} />}
      {title}
    </Tag>
  )
}
