import type { ReactNode } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Link } from '../../../ground/kit/link/link.tsx'
import type { Draft } from '../draft/draft.ts'
import { conditionOf } from '../draft/edit-fields.ts'
import type { FileAttribute } from '../draft/file-content.ts'
import type { Field, Owner } from '../owners/owner.ts'
import { isPresence } from './condition-operators.ts'
import classes from './fields.module.css'
import { isLocalized } from './localized.ts'
import { operatorName, optionsText, typeName } from './option-text.ts'
import { SchemaProblems } from './schema-problems.tsx'

interface FieldSummaryProps {
  readonly field: Field
  readonly owner: Owner
  readonly problems?: Draft['problems'] | undefined
  /** Undefined if it cannot be changed. */
  readonly onOpen?: () => void
}

/** A summary of a field: name, type, target, options. */
export function FieldSummary({ field, owner, problems = [], onOpen }: FieldSummaryProps) {
  const { name, attribute, isOwn } = field
  const options = optionsText(attribute)
  const { plugin } = attribute
  return (
    <div className={classes.summary}>
      <p className={classes.title}>
        {onOpen === undefined ? (
          <strong>{name}</strong>
        ) : (
          <button type="button" className={classes.open} onClick={onOpen}>
            {name}
          </button>
        )}
        <span className={classes.type}>{typeName(attribute.type)}</span>
        {attribute.required === true && <Badge>{t('model.required')}</Badge>}
        {isLocalized(attribute) && <Badge tone="info">{t('model.localized')}</Badge>}
        {!isOwn && typeof plugin === 'string' && <Badge>{t('model.ofPlugin', { plugin })}</Badge>}
        {!isOwn && typeof plugin !== 'string' && owner.plugin === null && <Badge>{t('model.builtIn')}</Badge>}
      </p>
      <Leads attribute={attribute} />
      {options !== '' && <p className={classes.options}>{options}</p>}
      <Condition attribute={attribute} />
      {typeof attribute.description === 'string' && (
        <p className={classes.options}>{attribute.description}</p>
      )}
      <SchemaProblems problems={problems} />
    </div>
  )
}

/** The components or target of a field. */
function Leads({ attribute }: { readonly attribute: FileAttribute }) {
  const { type, target, relation, mappedBy, inversedBy, component, components, enum: values } = attribute
  if (typeof component === 'string') return <Line>{toComponent(component)}</Line>
  if (Array.isArray(components)) {
    return (
      <Line>
        {components.map((uid) => (
          <span key={uid}>{toComponent(String(uid))} </span>
        ))}
      </Line>
    )
  }
  if (Array.isArray(values)) return <Line>{values.join(', ')}</Line>
  if (type !== 'relation' || typeof target !== 'string') return null
  const other = mappedBy ?? inversedBy
  return (
    <Line>
      {t('model.relationTo', { kind: kindName(String(relation)) })}{' '}
      <Link to={`/model/types/${target}`}>{target}</Link>
      {typeof other === 'string' && <> {t('model.otherSideIs', { field: `${target}.${other}` })}</>}
    </Line>
  )
}

const toComponent = (uid: string) => <Link to={`/model/components/${uid}`}>{uid}</Link>

const Line = ({ children }: { readonly children: ReactNode }) => <p className={classes.leads}>{children}</p>

/** The label of a relation's cardinality. */
export function kindName(relation: string): string {
  const names: Readonly<Record<string, () => string>> = {
    oneToOne: () => t('model.oneToOne'),
    manyToOne: () => t('model.manyToOne'),
    oneToMany: () => t('model.oneToMany'),
    manyToMany: () => t('model.manyToMany'),
  }
  return names[relation]?.() ?? relation
}

function Condition({ attribute }: { readonly attribute: FileAttribute }) {
  const condition = conditionOf(attribute)
  if (condition === undefined) return null
  const value = Array.isArray(condition.value) ? condition.value.join(', ') : String(condition.value ?? '')
  const operator = operatorName(condition.operator)
  const text = `${condition.field} ${operator}${isPresence(condition.operator) ? '' : ` ${value}`}`
  return <p className={classes.options}>{t('model.shownIf', { condition: text })}</p>
}
