import { memo, Suspense, useEffect, useRef } from 'react'
import type { DescribedAttribute } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { Boundary } from '../../../shell/boundary.tsx'
import { useContributions } from '../../../shell/panel-part.ts'
import { type FieldKind, panelOptionsOf, useFieldKind } from '../../schema/field-kinds.ts'
import { labelOf } from '../../schema/label.ts'
import { joinPath, parentOf, type ValuePath } from '../../schema/value-path.ts'
import { useEntrySession } from '../entry-session.ts'
import { useSelected } from '../use-field.ts'
import { isEmpty, isMet } from './condition.ts'
import classes from './form.module.css'
import { ReadField } from './read-value.tsx'

export interface FieldRowProps {
  readonly path: ValuePath
  readonly attribute: DescribedAttribute
}

/** A field of an entry or a component, with the input for its type, shown only while its condition is met. */
export const FieldRow = memo(function FieldRow({ path, attribute }: FieldRowProps) {
  const { condition } = attribute
  const kind = useFieldKind(attribute)
  const isShown = useSelected(
    condition === undefined ? path : joinPath(parentOf(path), condition.field),
    (value) => condition === undefined || isMet(condition, value),
  )
  if (kind === undefined) return null
  if (!isShown) return <HiddenField path={path} attribute={attribute} />
  return <ShownField path={path} attribute={attribute} kind={kind} />
})

/** Says that a hidden field has a value, since the value is kept and reappears with the field. */
function HiddenField({ path, attribute }: FieldRowProps) {
  const hasValue = useSelected(path, (value) => !isEmpty(value) && value !== false)
  const { condition } = attribute
  if (!hasValue || condition === undefined) return null
  return (
    <p className={`${classes.row} ${classes.hiddenField}`}>
      {t('entry.hiddenField', { label: labelOf(attribute), field: labelOf({ name: condition.field }) })}
    </p>
  )
}

function ShownField({ path, attribute, kind }: FieldRowProps & { readonly kind: FieldKind }) {
  const { register, isReadOnly } = useEntrySession()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => (element.current === null ? undefined : register(path, element.current)), [register, path])
  const { input: Input, read: Read } = kind
  const { width = 'full', placeholder } = panelOptionsOf(attribute)
  const frame = frameOf(attribute, isReadOnly)
  return (
    <div ref={element} className={`${classes.row} ${classes[width]}`} data-path={path}>
      <Boundary>
        <Suspense fallback={<Skeleton lines={2} />}>
          {isReadOnly && Read !== undefined ? (
            <ReadField path={path} frame={frame} read={Read} />
          ) : (
            <Input path={path} attribute={attribute} frame={frame} placeholder={placeholder} />
          )}
        </Suspense>
      </Boundary>
      {useContributions('fieldMarks').map((Mark, index) => (
        <Suspense key={index} fallback={null}>
          <Mark path={path} />
        </Suspense>
      ))}
    </div>
  )
}

/** Leaves out `isRequired` for users who may only read the entry. */
function frameOf(attribute: DescribedAttribute, isReadOnly: boolean) {
  const help = panelOptionsOf(attribute).help ?? attribute.description
  return {
    label: labelOf(attribute),
    isRequired: attribute.required && !isReadOnly,
    ...(help === undefined ? {} : { help }),
  }
}
