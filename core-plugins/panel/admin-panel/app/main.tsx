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

/** Starts the application; without a session it redirects to the sign-in page. */
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
  // Most screens need the content types as well, so they are loaded in parallel.
  void queryClient.prefetchQuery(contentTypes)
  // A failure is shown in place of the panel.
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
  // Nothing on the screen waits for it.
  void loadPersistently(() => import('./parts/panel-events/follow-service.ts'))
}

/** Prefetches the code of a screen. Errors are ignored: opening the screen shows them. */
function loadScreen(path: string) {
  const [pathname = '/'] = path.split(/[?#]/)
  screenAt('screens', pathname)
    ?.load()
    .then(() => screenAt('sections', pathname)?.load())
    .catch(() => undefined)
}

const reconnectMs = 500

/**
 * In development, reloads the page after the service has rebuilt the panel, or has restarted, after which it may have a new
 * build.
 */
function followChanges(isAgain = false) {
  const changes = new EventSource('/admin/changes')
  let isKnown = isAgain
  changes.onmessage = () => location.reload()
  changes.onopen = () => {
    if (isKnown) location.reload()
    isKnown = true
  }
  // Browsers reconnect after network errors, but not after an error response.
  changes.onerror = () => {
    if (changes.readyState === EventSource.CLOSED) setTimeout(() => followChanges(true), reconnectMs)
  }
}

if (document.documentElement.dataset.live !== undefined) followChanges()
void start()

export * from './common-parts.ts'
