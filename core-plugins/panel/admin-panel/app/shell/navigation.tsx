import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { type Access, useAccess } from '../ground/access/access.ts'
import { t } from '../ground/i18n/translate.ts'
import { Icon } from '../ground/kit/icon/icon.tsx'
import { Link } from '../ground/kit/link/link.tsx'
import { ContentNavigation } from './content-navigation.tsx'
import classes from './navigation.module.css'
import { useContributions } from './panel-part.ts'
import { PluginNavigation } from './plugins/plugin-navigation.tsx'
import { isOpenTo, isWithin, type NavigationPlace, type Screen, startOf } from './screen.ts'

/** The main navigation, without screens that the user may not open. `onNavigate` closes the menu on small screens. */
export function Navigation({ onNavigate }: { readonly onNavigate?: () => void }) {
  const access = useAccess()
  const rest = onNavigate === undefined ? {} : { onNavigate }
  return (
    <nav className={classes.navigation} aria-label={t('shell.navigation')}>
      <Group group="work" access={access} {...rest} />
      <ContentNavigation {...rest} />
      <PluginNavigation {...rest} />
      <Group group="administration" access={access} {...rest} />
    </nav>
  )
}

interface GroupProps {
  readonly group: NavigationPlace['group']
  readonly access: Access
  readonly onNavigate?: () => void
}

function Group({ group, access, onNavigate }: GroupProps) {
  const shown = useContributions('screens').filter(
    (screen) => screen.navigation?.group === group && isOpenTo(screen, access),
  )
  if (shown.length === 0) return null
  return (
    <ul className={classes.group}>
      {shown.map((screen) => (
        <li key={screen.path}>
          <Item screen={screen} {...(onNavigate === undefined ? {} : { onNavigate })} />
        </li>
      ))}
    </ul>
  )
}

function Item({ screen, onNavigate }: { readonly screen: Screen; readonly onNavigate?: () => void }) {
  const [location] = useLocation()
  const { navigation } = screen
  if (navigation === undefined) return null
  const start = startOf(screen)
  const Count = navigation.count
  return (
    <Link
      to={start}
      className={classes.item}
      isCurrent={isWithin(start, location)}
      {...(onNavigate === undefined ? {} : { onClick: onNavigate })}
    >
      <Icon name={navigation.icon} />
      {t(navigation.label)}
      {Count !== undefined && (
        <Suspense>
          <Count />
        </Suspense>
      )}
    </Link>
  )
}
