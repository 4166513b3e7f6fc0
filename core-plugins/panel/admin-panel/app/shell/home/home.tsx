import { useAccess } from '../../ground/access/access.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Page } from '../../ground/kit/page/page.tsx'
import { Alerts } from '../../parts/alerts/alerts-widget.tsx'
import { Recent } from '../../parts/planning/recent.tsx'
import { Scheduled } from '../../parts/planning/scheduled.tsx'
import { usePanelItems } from '../panel-items.ts'
import { PluginWidgets } from '../plugins/plugin-widgets.tsx'
import classes from './home.module.css'
import { PluginWidget } from './plugin-widget.tsx'

/** What concerns whoever has just signed in. */
export default function Home() {
  const access = useAccess()
  const { widgets } = usePanelItems()
  const knowsWrites = access.isOn('planning') && access.isOn('audit')
  return (
    <Page title={t('home.title')}>
      <p className={classes.welcome}>{t('home.welcome', { name: access.user.username })}</p>
      <div className={classes.widgets}>
        {knowsWrites && <Recent by="me" />}
        {knowsWrites && <Recent by="others" />}
        {access.isOn('planning') && <Scheduled />}
        {access.mayArea('alerts') && <Alerts mayResolve={access.mayArea('alerts', 'write')} />}
        {widgets.map((widget) => (
          <PluginWidget key={widget.id} widget={widget} />
        ))}
        <PluginWidgets />
      </div>
    </Page>
  )
}
