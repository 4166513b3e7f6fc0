import type { EntryUsage, FieldUsage } from '../../../../../../../../client/admin.ts'
import type { DescribedType } from '../../../../ground/api/content-types.ts'
import { type TextKey, t } from '../../../../ground/i18n/translate.ts'
import { Badge } from '../../../../ground/kit/badge/badge.tsx'
import { Link } from '../../../../ground/kit/link/link.tsx'
import { labelOf } from '../../../schema/label.ts'
import classes from './removal.module.css'

const effects: Readonly<Record<FieldUsage['effect'], TextKey>> = {
  CASCADE: 'removal.cascade',
  NONE: 'removal.none',
  RESTRICT: 'removal.restrict',
  'SET NULL': 'removal.setNull',
}

const tones = { CASCADE: 'danger', NONE: 'neutral', RESTRICT: 'danger', 'SET NULL': 'warning' } as const

export interface UsagesProps {
  readonly usage: EntryUsage
  readonly types: readonly DescribedType[]
  /** Whether to show what a deletion would do to each entry. */
  readonly showsEffects: boolean
}

/** The entries that refer to this one, by field. */
export function Usages({ usage, types, showsEffects }: UsagesProps) {
  if (usage.usages.length === 0) return <p className={classes.quiet}>{t('removal.noUsages')}</p>
  return (
    <ul className={classes.usages}>
      {usage.usages.map((each) => (
        <li key={`${each.type} ${each.field} ${each.isDraft}`} className={classes.usage}>
          <p className={classes.where}>
            <span>{placeOf(each, types)}</span>
            {showsEffects && <Effect usage={each} toTrash={usage.deletion.toTrash} />}
          </p>
          <Entries usage={each} />
        </li>
      ))}
    </ul>
  )
}

/** References to an entry in the trash are kept, in case it is restored. */
function Effect({ usage: { effect }, toTrash }: { readonly usage: FieldUsage; readonly toTrash: boolean }) {
  const isKept = toTrash && effect === 'SET NULL'
  return <Badge tone={tones[effect]}>{t(isKept ? 'removal.inTrash' : effects[effect])}</Badge>
}

function Entries({ usage: { type, entries, count, hasMore } }: { readonly usage: FieldUsage }) {
  return (
    <ul className={classes.entries}>
      {entries.map(({ id, title }) => (
        <li key={id}>
          <Link to={`/content/${type}/${id}`}>{title ?? `#${id}`}</Link>
        </li>
      ))}
      {(hasMore || count > entries.length) && <li className={classes.quiet}>{t('removal.moreThan')}</li>}
    </ul>
  )
}

/** Names a field such as `blocks.author` by its top-level field, which editors find in the form. */
function placeOf({ type: name, field, isDraft }: FieldUsage, types: readonly DescribedType[]): string {
  const type = types.find((each) => each.name === name)
  const [top = field] = field.split('.')
  const attribute = type?.attributes.find((each) => each.name === top) ?? { name: top }
  const place = t('removal.usageIn', {
    field: labelOf(attribute),
    type: type?.info.displayName ?? name,
  })
  return isDraft ? `${place}, ${t('removal.draftOf')}` : place
}
