import { Suspense, useState } from 'react'
import { useAccess } from '../../../ground/access/access.ts'
import { type DescribedType, useContentTypes } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import { useEntrySession } from '../../entry/entry-session.ts'
import { FieldGroup } from '../../entry/form/field-group.tsx'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { ReferenceField } from '../references/reference-field.tsx'
import { idsOf, useReferences } from '../references/use-references.ts'
import { useDrawers } from './drawers.ts'
import { InverseList } from './inverse-list.tsx'
import classes from './relation.module.css'
import { TargetLabel } from './target-label.tsx'
import { TargetSearch } from './target-search.tsx'
import { useTargets } from './targets.ts'

const NewTarget = lazyPart(() => import('./new-target.tsx'))

/** Related entries: found by title, ordered, or created in place. */
export default function RelationInput({ path, attribute, frame }: FieldInputProps) {
  const types = useContentTypes()
  const { value, problem } = useField(path)
  if (types === undefined) return <Skeleton lines={2} />
  const target = types.find(({ name }) => name === attribute.target)
  if (target !== undefined && !target.system && attribute.inverse === true) {
    return (
      <FieldGroup {...frame} help={frame.help ?? t('relation.inverse')}>
        {() => <InverseList type={target} mappedBy={String(attribute.mappedBy)} />}
      </FieldGroup>
    )
  }
  if (target !== undefined && !target.system) {
    return <Relation path={path} frame={frame} target={target} isMany={attribute.many === true} />
  }
  // Users and roles are not in the content API and cannot be searched.
  const ids = idsOf(value)
  return (
    <FieldGroup {...frame} problem={problem}>
      {() => (
        <p className={classes.note}>
          {ids.length === 0 ? t('relation.none') : ids.map((id) => `#${id}`).join(', ')}
        </p>
      )}
    </FieldGroup>
  )
}

interface RelationProps extends Pick<FieldInputProps, 'path' | 'frame'> {
  readonly target: DescribedType
  readonly isMany: boolean
}

function Relation({ path, frame, target, isMany }: RelationProps) {
  const references = useReferences(path, isMany)
  const { ids, shown, add } = references
  const { locale } = useEntrySession()
  const targets = useTargets(target, shown)
  return (
    <ReferenceField
      frame={frame}
      references={references}
      nameOf={(id) => targets.get(id)?.title}
      labelOf={(id) => <TargetLabel type={target} id={id} target={targets.get(id)} />}
    >
      <div className={classes.add}>
        <TargetSearch
          type={target}
          label={t('relation.find', { name: target.info.displayName })}
          locale={locale}
          taken={ids}
          onChoose={add}
        />
        <Create type={target} onStored={add} />
      </div>
    </ReferenceField>
  )
}

interface CreateProps {
  readonly type: DescribedType
  readonly onStored: (id: number) => void
}

/** Creates a related entry without leaving this form. */
function Create({ type, onStored }: CreateProps) {
  const [isOpen, setOpen] = useState(false)
  const mayCreate = useAccess().mayContent(type.name, 'create') && type.kind === 'collectionType'
  if (!useDrawers().mayOpen || !mayCreate) return null
  return (
    <>
      <Button icon="plus" onPress={() => setOpen(true)}>
        {t('relation.create', { name: type.info.displayName })}
      </Button>
      {isOpen && (
        <Suspense>
          <NewTarget
            type={type}
            onClose={() => setOpen(false)}
            onStored={(id) => {
              setOpen(false)
              onStored(id)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
