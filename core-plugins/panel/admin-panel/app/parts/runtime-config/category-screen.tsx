import { useParams } from 'wouter'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { usePanelItems } from '../../shell/panel-items.ts'
import { useSettingsForm } from '../../shell/plugins/parts.ts'
import { PluginPart } from '../../shell/plugins/plugin-part.tsx'
import { NotFoundPage } from '../../shell/refusal-pages.tsx'
import { categoryName } from './category-name.ts'
import { SettingsForm } from './settings-form.tsx'
import { useSettings } from './use-settings.ts'

/** The settings of a category, in the plugin's own form if it has one. */
export default function CategoryScreen() {
  const { category = '' } = useParams<{ category: string }>()
  const { settings: items } = usePanelItems()
  const own = useSettingsForm(category)
  const { settings, error, ...rest } = useSettings(category)
  if (own === undefined && settings?.length === 0) return <NotFoundPage />
  return (
    <Page
      title={categoryName(category, items)}
      width="text"
      back={{ to: '/settings', label: t('settings.title') }}
    >
      {error !== null && <EmptyState icon="triangle-alert" title={errorText(error)} />}
      {own !== undefined && (
        <PluginPart plugin={own.plugin} where={`settings ${category}`}>
          <own.component />
        </PluginPart>
      )}
      {own === undefined && settings === undefined && error === null && <Skeleton lines={6} />}
      {own === undefined && settings !== undefined && (
        <SettingsForm key={category} settings={settings} {...rest} />
      )}
    </Page>
  )
}
