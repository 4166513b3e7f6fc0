import { t } from '../../../ground/i18n/translate.ts'
import { Link } from '../../../ground/kit/link/link.tsx'
import { usesOf } from '../draft/edit-owners.ts'
import type { Owner } from '../owners/owner.ts'
import type { Model } from '../owners/use-model.ts'
import classes from './fields.module.css'
import { optionName } from './option-text.ts'

interface OwnerFactsProps {
  readonly model: Model
  readonly owner: Owner
}

/** A type's options, its file, and the fields that refer to it. */
export function OwnerFacts({ model, owner }: OwnerFactsProps) {
  const { content, path } = owner
  const uses = usesOf(owner, model.files)
  return (
    <dl className={classes.facts}>
      {content !== undefined && (
        <>
          <dt>{t('model.file')}</dt>
          <dd>
            <code>{path}</code>
          </dd>
        </>
      )}
      {content?.options !== undefined && (
        <>
          <dt>{t('model.abilities')}</dt>
          <dd>{abilities(content.options).join(', ') || '–'}</dd>
        </>
      )}
      {uses.length > 0 && (
        <>
          <dt>{t('model.usedBy')}</dt>
          <dd className={classes.uses}>
            {uses.map(({ owner: { kind, name }, field }) => (
              <Link key={`${kind} ${name} ${field}`} to={`/model/${kind}s/${name}`}>
                {name}.{field}
              </Link>
            ))}
          </dd>
        </>
      )}
    </dl>
  )
}

function abilities(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options)
    .filter(([, value]) => value === true || (value as { enabled?: unknown } | null)?.enabled === true)
    .map(([option]) => optionName(option))
}
