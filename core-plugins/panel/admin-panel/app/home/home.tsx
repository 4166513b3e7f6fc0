import { t } from '../i18n/translate.ts'
import { Page } from '../kit/page/page.tsx'
import { PluginWidgets } from '../plugins/plugin-widgets.tsx'
import { useAccess } from '../session/access.ts'
import { usePanelItems } from '../shell/panel-items.ts'
import { Alerts } from './alerts.tsx'
import classes from './home.module.css'
import { PluginWidget } from './plugin-widget.tsx'
import { Recent } from './recent.tsx'
import { Scheduled } from './scheduled.tsx'

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
