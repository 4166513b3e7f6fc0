import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { panelDocument } from './ground/access/panel-document.ts'
import { contentTypes } from './ground/api/content-types.ts'
import { queryClient } from './ground/api/query-client.ts'
import { loadTexts } from './ground/i18n/translate.ts'
import { prefetchScreen, setPrefetcher } from './ground/kit/link/prefetch.ts'
import { loadPersistently } from './ground/lazy/missing-parts.ts'
import { takeHandedOver } from './ground/session/handed-over.ts'
import { session, signInAddress } from './ground/session/session.ts'
import { Panel } from './panel.tsx'
import { parts } from './parts.ts'
import { applyMode } from './shell/chosen-mode.ts'
import { followLinks } from './shell/follow-links.ts'
import { addParts, screenAt } from './shell/panel-part.ts'
import { loadModules } from './shell/plugins/module-store.ts'

/** Starts the application, signed in; whoever is not goes to the sign-in page. */
async function start() {
  applyMode()
  addParts('panel', parts)
  const handedOver = takeHandedOver()
  if (handedOver !== undefined) session.open(handedOver)
  const texts = loadTexts()
  setPrefetcher(loadScreen)
  prefetchScreen(location.pathname.replace(/^\/admin/, '') || '/')
  const [token] = await Promise.all([session.token(), texts])
  const state = session.state()
  if (token === undefined || (state.kind === 'open' && state.session.mustChangePassword === true)) {
    return location.replace(signInAddress())
  }
  // Most screens need the types as well, which come meanwhile.
  void queryClient.prefetchQuery(contentTypes)
  // Its failure is shown in place of the panel.
  await queryClient.prefetchQuery(panelDocument)
  loadModules(
    queryClient.getQueryData(panelDocument.queryKey)?.modules ?? [],
    () => import('./plugin-api/admit-module.ts'),
  )
  const root = document.querySelector('#root')
  if (root === null) throw new Error('the page has no #root')
  followLinks()
  createRoot(root).render(
    <StrictMode>
      <Panel />
    </StrictMode>,
  )
  // Whatever is shown does not wait for it.
  void loadPersistently(() => import('./parts/panel-events/follow-service.ts'))
}

/** Fetches the code of a screen. If that fails, going there will say what is wrong. */
function loadScreen(path: string) {
  const [pathname = '/'] = path.split(/[?#]/)
  screenAt('screens', pathname)
    ?.load()
    .then(() => screenAt('sections', pathname)?.load())
    .catch(() => undefined)
}

const reconnectMs = 500

/** In development, the service says when it has built the panel again; or it starts again, and may have others then. */
function followChanges(isAgain = false) {
  const changes = new EventSource('/admin/changes')
  let isKnown = isAgain
  changes.onmessage = () => location.reload()
  changes.onopen = () => {
    if (isKnown) location.reload()
    isKnown = true
  }
  // Browsers try again by themselves where nobody answers, but not where somebody refuses.
  changes.onerror = () => {
    if (changes.readyState === EventSource.CLOSED) setTimeout(() => followChanges(true), reconnectMs)
  }
}

if (document.documentElement.dataset.live !== undefined) followChanges()
void start()

export * from './common-parts.ts'
