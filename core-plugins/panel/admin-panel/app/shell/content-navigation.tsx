import { useLocation } from 'wouter'
import { type DescribedType, useContentTypes } from '../ground/api/content-types.ts'
import { t } from '../ground/i18n/translate.ts'
import { Icon } from '../ground/kit/icon/icon.tsx'
import { Link } from '../ground/kit/link/link.tsx'
import classes from './navigation.module.css'
import { isWithin } from './screen.ts'
import { typeIcon } from './type-icon.ts'

/** The content types that the user may read, by name, in the groups from their schema files. */
export function ContentNavigation({ onNavigate }: { readonly onNavigate?: () => void }) {
  const types = useContentTypes()?.filter(({ system }) => !system) ?? []
  if (types.length === 0) return null
  return grouped(types).map(([group, members]) => (
    <section key={group} className={classes.section} aria-label={group === '' ? t('shell.content') : group}>
      {group !== '' && <p className={classes.groupName}>{group}</p>}
      <ul className={classes.group}>
        {members.map((type) => (
          <li key={type.name}>
            <TypeLink type={type} {...(onNavigate === undefined ? {} : { onNavigate })} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

interface TypeLinkProps {
  readonly type: DescribedType
  readonly onNavigate?: () => void
}

function TypeLink({ type, onNavigate }: TypeLinkProps) {
  const [location] = useLocation()
  const path = `/content/${type.name}`
  return (
    <Link
      to={path}
      className={classes.item}
      isCurrent={isWithin(path, location)}
      {...(onNavigate === undefined ? {} : { onClick: onNavigate })}
    >
      <Icon name={typeIcon(type)} />
      {type.info.displayName}
    </Link>
  )
}

/** Types without a group come first. */
function grouped(types: readonly DescribedType[]): readonly (readonly [string, readonly DescribedType[]])[] {
  const groups = new Map<string, DescribedType[]>()
  for (const type of types) {
    const { group } = (type.pluginOptions.panel ?? {}) as { readonly group?: unknown }
    const name = typeof group === 'string' ? group : ''
    groups.set(name, [...(groups.get(name) ?? []), type])
  }
  const byName = (left: DescribedType, right: DescribedType) =>
    left.info.displayName.localeCompare(right.info.displayName)
  return [...groups]
    .map(([name, members]) => [name, members.sort(byName)] as const)
    .sort(([left], [right]) => left.localeCompare(right))
}
