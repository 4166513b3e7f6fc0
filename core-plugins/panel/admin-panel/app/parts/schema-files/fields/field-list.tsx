import { t } from '../../../ground/i18n/translate.ts'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { SortableRows } from '../../../ground/kit/sortable/sortable-rows.tsx'
import { changeFiles, type Draft } from '../draft/draft.ts'
import { moveField } from '../draft/edit-fields.ts'
import type { Field, Owner } from '../owners/owner.ts'
import type { Model } from '../owners/use-model.ts'
import { FieldSummary } from './field-summary.tsx'
import classes from './fields.module.css'

interface FieldListProps {
  readonly model: Model
  readonly owner: Owner
  readonly problems: ReadonlyMap<string, Draft['problems']>
  readonly onOpen: (field: string) => void
}

/** The ordered fields: moved by dragging, by buttons or by Alt with the arrow keys, and opened. */
export function FieldList({ model, owner, problems, onOpen }: FieldListProps) {
  const { mayChange } = model
  const fixed = owner.fields.filter(({ isOwn }) => !isOwn)
  const own = owner.fields.filter(({ isOwn }) => isOwn)
  const rowOf = (field: Field) => ({
    ...{ key: field.name, name: field.name },
    content: (
      <FieldSummary
        field={field}
        owner={owner}
        problems={problems.get(field.name)}
        {...(mayChange && field.isOwn ? { onOpen: () => onOpen(field.name) } : {})}
      />
    ),
  })

  if (owner.fields.length === 0) {
    return (
      <EmptyState icon="rows-3" title={t('model.noFields')}>
        {mayChange && t('model.noFieldsText')}
      </EmptyState>
    )
  }
  const move = (from: number, before: number) =>
    changeFiles(model.stored, (files) => moveField(files, owner, from, before))
  return (
    <section>
      <h2 className={classes.heading}>{t('model.fields')}</h2>
      <SortableRows rows={fixed.map(rowOf)} size="m" onMove={undefined} />
      <SortableRows rows={own.map(rowOf)} size="m" onMove={mayChange ? move : undefined} />
    </section>
  )
}
