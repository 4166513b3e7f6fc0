import { panelDocument } from '../../ground/access/panel-document.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { apiPrefix } from '../../ground/session/api-prefix.ts'
import { session } from '../../ground/session/session.ts'
import { live } from './live.ts'
import { readEvents } from './read-events.ts'
import { refreshQueries } from './refresh-queries.ts'

/** In milliseconds: longer than the service's interval of keep-alive messages. */
const silenceMs = 50_000
/** In milliseconds: hidden tabs close their stream after this time, since browsers limit connections to six per host. */
const hiddenMs = 15_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** Follows the event stream while the tab is visible. */
async function follow(): Promise<void> {
  live.subscribe(refreshQueries)
  let pauseMs = firstPauseMs
  let hasBeenOpen = false
  for (;;) {
    await shown()
    const outcome: Outcome = await readOnce(hasBeenOpen).catch(() => 'failed')
    if (outcome === 'refused') return
    hasBeenOpen ||= outcome === 'ended'
    pauseMs = outcome === 'ended' ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs)
    // Random delay, so that not all panels reconnect at once after a restart.
    await pause(pauseMs * (0.5 + Math.random()))
  }
}

/** How a stream ended. `refused`: the service offers none. */
type Outcome = 'ended' | 'failed' | 'refused'

async function readOnce(isAgain: boolean): Promise<Outcome> {
  const token = await session.token()
  const name = newName()
  const ending = endWhenUseless()
  try {
    const response = await fetch(`${apiPrefix}/admin/events?stream=${name}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: ending.signal,
    })
    if (response.status === 401) {
      session.refused(token)
      await session.opened()
      return 'failed'
    }
    if (!response.ok || response.body === null) return response.status === 404 ? 'refused' : 'failed'
    await readEvents(response.body, (event) => receive(event, name, isAgain), ending.postpone).catch(
      () => undefined,
    )
    return 'ended'
  } finally {
    live.stream = undefined
    ending.stop()
  }
}

function receive(event: Parameters<typeof live.publish>[0], name: string, isAgain: boolean) {
  if (event.kind === 'hello') {
    live.stream = name
    // Events during the interruption were missed.
    if (isAgain) live.publish({ kind: 'restart', data: {} })
  }
  live.publish(event)
}

/** Ends a stream that has gone silent, or whose tab is hidden. */
function endWhenUseless() {
  const controller = new AbortController()
  let silence: ReturnType<typeof setTimeout> | undefined
  let hidden: ReturnType<typeof setTimeout> | undefined
  const end = () => controller.abort()
  const postpone = () => {
    clearTimeout(silence)
    silence = setTimeout(end, silenceMs)
  }
  const onVisibility = () => {
    clearTimeout(hidden)
    if (document.hidden) hidden = setTimeout(end, hiddenMs)
  }
  postpone()
  document.addEventListener('visibilitychange', onVisibility)
  return {
    signal: controller.signal,
    postpone,
    stop() {
      end()
      clearTimeout(silence)
      clearTimeout(hidden)
      document.removeEventListener('visibilitychange', onVisibility)
    },
  }
}

function shown(): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) =>
    document.addEventListener('visibilitychange', () => resolve(), { once: true }),
  )
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A UUID; `crypto.randomUUID` is missing on pages without https. */
function newName(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const isOn = queryClient.getQueryData(panelDocument.queryKey)?.plugins.includes('panel-events')
if (isOn === true) void follow()
