import { useParams } from 'wouter'
import { t } from '../../ground/i18n/translate.ts'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { retryModule, usePluginModules } from '../../shell/plugins/module-store.ts'
import { useParts } from '../../shell/plugins/parts.ts'
import { FailedPart, PluginPart } from '../../shell/plugins/plugin-part.tsx'
import { NotFoundPage } from '../../shell/refusal-pages.tsx'

/** A page of a plugin; the route parameters are those of `/x/:plugin/*?`. */
export default function PluginPage() {
  const { plugin = '', '*': path = '' } = useParams<{ plugin: string; '*'?: string }>()
  const pages = useParts('pages').filter((each) => each.plugin === plugin)
  const own = usePluginModules().filter((each) => each.plugin === plugin)
  const found = pages.find(({ part }) => part.path === path.replace(/\/$/, ''))
  if (found !== undefined) {
    const { component: Component } = found.part
    return (
      <PluginPart key={path} plugin={plugin} where={`page ${path}`}>
        <Component />
      </PluginPart>
    )
  }
  if (own.some(({ state }) => state.kind === 'loading')) return <Skeleton lines={6} />
  const failed = own.find(({ state }) => state.kind === 'failed')
  if (failed?.state.kind !== 'failed') return <NotFoundPage />
  return (
    <Page title={t('plugins.failedTitle')}>
      <FailedPart plugin={plugin} problem={failed.state.problem} onRetry={() => retryModule(plugin)} />
    </Page>
  )
}
