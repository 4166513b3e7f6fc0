import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useEntry, useEntrySession } from '../../content/entry/entry-session.ts'
import { topFieldOf } from '../../content/schema/value-path.ts'
import { admin } from '../../ground/api/admin.ts'
import type { DescribedAttribute } from '../../ground/api/content-types.ts'
import { useLacksSideColumn } from '../../ground/kit/page/use-is-narrow.ts'
import { apiPrefix } from '../../ground/session/api-prefix.ts'
import { connectFrame } from './connect-frame.ts'
import { type Answer, type FollowedPage, followPage } from './followed-page.ts'
import { hasTokenHole, tokenParameter, withToken } from './preview-address.ts'
import { usePreview } from './use-preview.ts'

export interface PreviewedPage {
  /** The URL, with a placeholder for the token if needed. */
  readonly url: string
  readonly origin: string
  readonly token: string
  /** Requests a new token if the present one is about to expire. */
  readonly renewIfDue: () => void
  /** Undefined before the first save. */
  readonly entryId: number | undefined
}

interface Connection {
  readonly page: FollowedPage
  /** The entry was saved. */
  saved(): void
  close(): void
}

/** Sends edits and saves to the page, focuses fields that are clicked in it, and tracks whether it responds. */
export function useConnection(
  frame: RefObject<HTMLIFrameElement | null>,
  { url, origin, token, renewIfDue, entryId }: PreviewedPage,
) {
  const { store } = useEntrySession()
  const { type, locale, saved } = useEntry()
  const lead = useLead()
  const [answer, setAnswer] = useState<Answer>('awaited')
  const connection = useRef<Connection>(undefined)
  const now = useRef({ token, lead, renewIfDue })
  useEffect(() => {
    now.current = { token, lead, renewIfDue }
  })
  useEffect(() => {
    const { current: element } = frame
    if (element === null) return
    const isNew = entryId === undefined
    const entry = { type: type.name, ...(!isNew && { id: entryId }), ...(locale !== undefined && { locale }) }
    const path = `${apiPrefix}/content/${encodeURIComponent(type.name)}/${entryId}/preview`
    const parameter = tokenParameter(url)
    const held = () => ({ token: now.current.token, parameter })
    const load = () => {
      element.src = withToken(url, now.current.token)
    }
    const page = followPage({
      needsToken: hasTokenHole(url),
      load,
      sendToken: () => bridge.send({ kind: 'token', ...held() }),
      renewIfDue: () => now.current.renewIfDue(),
      onAnswer: setAnswer,
    })
    const bridge = connectFrame({
      ...{ frame: element, origin, store, isNew },
      populated: {
        references: type.attributes.filter(isReference).map(({ name }) => name),
        load: (fields, populate) => admin.previewFields(type.name, fields, populate, { id: entryId }),
      },
      greeting: () => ({ entry, url: isNew ? '' : location.origin + path, ...held() }),
      onHello: page.hello,
      onToken: page.token,
      onFailure: page.failed,
      onClick: (field) => now.current.lead(field),
    })
    connection.current = {
      page,
      saved: () => (page.answer === 'given' ? bridge.send({ kind: 'saved' }) : load()),
      close() {
        bridge.close()
        page.close()
      },
    }
    return () => connection.current?.close()
  }, [frame, url, origin, store, type, entryId, locale])
  useChange(token, () => connection.current?.page.renewed())
  useChange(saved?.etag, () => connection.current?.saved())
  const onLoad = useCallback(() => connection.current?.page.loaded(), [])
  return { answer, onLoad }
}

/** Runs an action whenever a value changes. */
function useChange(value: unknown, act: () => void) {
  const known = useRef(value)
  useEffect(() => {
    if (known.current === value) return
    known.current = value
    act()
  })
}

const isReference = ({ type }: DescribedAttribute) => type === 'relation' || type === 'media'

/** Focuses a field; on narrow screens, it closes the preview to show the form. */
function useLead() {
  const { type, reveal } = useEntry()
  const isAlone = useLacksSideColumn()
  const [, setOpen] = usePreview()
  return (field: string) => {
    if (!type.attributes.some(({ name }) => name === topFieldOf(field))) return
    // Elements that are not rendered cannot get the focus.
    if (isAlone) flushSync(() => setOpen(false))
    reveal(field)
  }
}
