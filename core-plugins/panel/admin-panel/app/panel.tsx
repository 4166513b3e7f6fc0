import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Router } from 'wouter'
import { panelDocument } from './ground/access/panel-document.ts'
import { queryClient } from './ground/api/query-client.ts'
import { language, t } from './ground/i18n/translate.ts'
import { Button } from './ground/kit/button/button.tsx'
import { EmptyState } from './ground/kit/empty-state/empty-state.tsx'
import { Shell } from './shell/shell.tsx'

const base = '/admin'

/** The application. */
export function Panel() {
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale={language()}>
        <Router base={base}>
          <Started />
        </Router>
      </I18nProvider>
    </QueryClientProvider>
  )
}

/** Rendered once the user and their permissions are known. */
function Started() {
  const { data, error, refetch } = useQuery(panelDocument)
  if (data !== undefined) return <Shell />
  if (error === null) return null
  return (
    <main>
      <EmptyState
        icon="server-crash"
        title={t('shell.startFailed')}
        action={<Button onPress={() => void refetch()}>{t('shell.tryAgain')}</Button>}
      >
        {error.message}
      </EmptyState>
    </main>
  )
}
