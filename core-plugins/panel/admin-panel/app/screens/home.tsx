import { useAccess } from '../ground/access/access.ts'
import { t } from '../ground/i18n/translate.ts'
import { Page } from '../ground/kit/page/page.tsx'
import { alerts } from '../parts/alerts/home.tsx'
import { planning } from '../parts/planning/home.tsx'
import classes from '../shell/home/home.module.css'
import { PluginWidget } from '../shell/home/plugin-widget.tsx'
import { usePanelItems } from '../shell/panel-items.ts'
import { addParts, useContributions } from '../shell/panel-part.ts'
import { PluginWidgets } from '../shell/plugins/plugin-widgets.tsx'

// In the order of the tiles.
addParts('home', { planning, alerts })

/** The home page. */
export default function Home() {
  const access = useAccess()
  const { widgets } = usePanelItems()
  const tiles = useContributions('homeTiles').filter(({ mayShow }) => mayShow?.(access) !== false)
  return (
    <Page title={t('home.title')}>
      <p className={classes.welcome}>{t('home.welcome', { name: access.user.username })}</p>
      <div className={classes.widgets}>
        {tiles.map(({ id, component: Tile }) => (
          <Tile key={id} />
        ))}
        {widgets.map((widget) => (
          <PluginWidget key={widget.id} widget={widget} />
        ))}
        <PluginWidgets />
      </div>
    </Page>
  )
}
