import type { DescribedAttribute } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { labelOf } from '../../schema/label.ts'
import type { BlockChange, Change, FieldChange } from './change.ts'
import classes from './diff.module.css'
import { References } from './references.tsx'
import { type DiffLayout, TextParts } from './text-parts.tsx'
import type { SchemaFacts } from './use-schema-facts.ts'
import { ValuePair } from './value-pair.tsx'

interface Shared {
  readonly layout: DiffLayout
  readonly facts: SchemaFacts
}

export interface ChangesProps extends Shared {
  readonly attributes: readonly DescribedAttribute[]
  readonly changes: readonly FieldChange[]
}

/** The differences between two versions of an entry, field by field; also used for the single fields of conflicts. */
export function Changes({ attributes, changes, ...shared }: ChangesProps) {
  return (
    <dl className={classes.fields}>
      {changes.map(({ field, change }) => (
        <div key={field} className={classes.field}>
          <dt className={classes.label}>{labelOf(attributeNamed(attributes, field))}</dt>
          <dd className={classes.change}>
            <ShownChange change={change} {...shared} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const attributeNamed = (attributes: readonly DescribedAttribute[], field: string) =>
  attributes.find(({ name }) => name === field) ?? { name: field }

/** The change of one value. */
export function ShownChange({ change, layout, facts }: Shared & { readonly change: Change }) {
  switch (change.kind) {
    case 'text':
      return (
        <>
          {change.of === 'markup' && <p className={classes.note}>{t('diff.onlyMarkup')}</p>}
          <TextParts parts={change.parts} layout={layout} isCode={change.of !== 'words'} />
        </>
      )
    case 'value':
      return <ValuePair before={change.before} after={change.after} />
    case 'references':
      return <References change={change} facts={facts} />
    case 'component':
      return (
        <div className={classes.block}>
          <BlockState state={change.state} />
          <Changes
            attributes={facts.fieldsOf(change.uid)}
            changes={change.fields}
            layout={layout}
            facts={facts}
          />
        </div>
      )
    case 'blocks':
      return (
        <ol className={classes.blocks}>
          {change.blocks.map((block) => (
            <li key={`${block.from}-${block.to}`} className={`${classes.block} ${classes[block.state]}`}>
              <Block block={block} layout={layout} facts={facts} />
            </li>
          ))}
        </ol>
      )
  }
}

function Block({ block, layout, facts }: Shared & { readonly block: BlockChange }) {
  const { state, uid, from, to, hasMoved, fields } = block
  return (
    <>
      <p className={classes.blockTitle}>
        <BlockState state={state} />
        <span>{t('diff.block', { place: (to ?? from ?? 0) + 1, name: facts.nameOf(uid) })}</span>
        {hasMoved && from !== undefined && (
          <span className={classes.note}>{t('diff.movedFrom', { place: from + 1 })}</span>
        )}
      </p>
      {fields.length > 0 && (
        <Changes attributes={facts.fieldsOf(uid)} changes={fields} layout={layout} facts={facts} />
      )}
    </>
  )
}

const tones = { added: 'success', removed: 'danger', changed: 'info', moved: 'neutral' } as const

function BlockState({ state }: { readonly state: BlockChange['state'] }) {
  return <Badge tone={tones[state]}>{t(`diff.${state}`)}</Badge>
}
