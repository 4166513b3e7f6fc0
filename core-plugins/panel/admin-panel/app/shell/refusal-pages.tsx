import { t } from '../ground/i18n/translate.ts'
import { EmptyState } from '../ground/kit/empty-state/empty-state.tsx'
import { Link } from '../ground/kit/link/link.tsx'
import { Page } from '../ground/kit/page/page.tsx'

/** The page for unknown URLs. */
export function NotFoundPage() {
  return (
    <Page title={t('shell.notFoundTitle')}>
      <EmptyState icon="map" title={t('shell.notFound')} action={<Link to="/">{t('shell.toHome')}</Link>}>
        {t('shell.notFoundText')}
      </EmptyState>
    </Page>
  )
}

/** The page for a screen that the user may not open. `permission` uses the words of the roles screen. */
export function ForbiddenPage({ permission }: { readonly permission?: string }) {
  return (
    <Page title={t('shell.forbiddenTitle')}>
      <EmptyState icon="lock" title={t('shell.forbidden')} action={<Link to="/">{t('shell.toHome')}</Link>}>
        {permission === undefined ? t('shell.forbiddenText') : t('shell.missingPermission', { permission })}
      </EmptyState>
    </Page>
  )
}

/** The page for a screen whose plugin is off. */
export function PluginOffPage({ plugin }: { readonly plugin: string }) {
  return (
    <Page title={t('shell.pluginOffTitle')}>
      <EmptyState icon="power" title={t('shell.pluginOff')} action={<Link to="/">{t('shell.toHome')}</Link>}>
        {t('shell.pluginOffText', { plugin })}
      </EmptyState>
    </Page>
  )
}
