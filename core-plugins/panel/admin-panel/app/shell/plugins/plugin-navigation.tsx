import { useLocation } from 'wouter'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import classes from '../navigation.module.css'
import { usePanelItems } from '../panel-items.ts'
import { useParts } from './parts.ts'

/** The path of a plugin's page. */
export const pluginPagePath = (plugin: string, path: string) => `/x/${plugin}${path === '' ? '' : `/${path}`}`

/** Plugin entries of the navigation: links, and pages of their own. */
export function PluginNavigation({ onNavigate }: { readonly onNavigate?: () => void }) {
  const [location] = useLocation()
  const { navigation } = usePanelItems()
  const pages = useParts('pages').filter(({ part }) => part.label !== undefined)
  if (navigation.length + pages.length === 0) return null
  return (
    <ul className={classes.group}>
      {navigation.map(({ id, label, icon = 'puzzle', href }) => (
        <li key={id}>
          <a className={classes.item} href={href}>
            <Icon name={icon} />
            {label}
          </a>
        </li>
      ))}
      {pages.map(({ plugin, part: { path, label, icon = 'puzzle' } }) => {
        const to = pluginPagePath(plugin, path)
        return (
          <li key={to}>
            <Link
              to={to}
              className={classes.item}
              isCurrent={location === to}
              {...(onNavigate === undefined ? {} : { onClick: onNavigate })}
            >
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
