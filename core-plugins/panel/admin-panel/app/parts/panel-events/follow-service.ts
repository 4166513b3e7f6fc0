import { panelDocument } from '../../ground/access/panel-document.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { apiPrefix } from '../../ground/session/api-prefix.ts'
import { session } from '../../ground/session/session.ts'
import { live } from './live.ts'
import { readEvents } from './read-events.ts'
import { refreshQueries } from './refresh-queries.ts'

/** Longer than the service is ever silent. */
const silenceMs = 50_000
/** Browsers open six connections to a host at most, so tabs that nobody looks at give theirs back. */
const hiddenMs = 15_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** Follows what happens, as long as the tab is looked at. */
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
    // Not all panels at once, when a service comes back.
    await pause(pauseMs * (0.5 + Math.random()))
  }
}

/** How the reading of one stream ended. `refused`: the service has none. */
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
    // What has happened in between was not received.
    if (isAgain) live.publish({ kind: 'restart', data: {} })
  }
  live.publish(event)
}

/** Ends a stream that says nothing any more, or that nobody looks at. */
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

/** A UUID, also where `crypto.randomUUID` is not, which is on pages without https. */
function newName(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const isOn = queryClient.getQueryData(panelDocument.queryKey)?.plugins.includes('panel-events')
if (isOn === true) void follow()
