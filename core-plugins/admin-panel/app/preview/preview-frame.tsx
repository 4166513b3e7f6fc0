import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { admin } from '../api/admin.ts'
import { apiPrefix } from '../api/api-prefix.ts'
import type { DescribedAttribute } from '../api/content-types.ts'
import { useEntry, useEntrySession } from '../entry/entry-session.ts'
import { topFieldOf } from '../entry/store/value-path.ts'
import { t } from '../i18n/translate.ts'
import { useLacksSideColumn } from '../kit/page/use-is-narrow.ts'
import { connectFrame, type FrameConnection } from './connect-frame.ts'
import classes from './preview.module.css'
import { withToken } from './preview-address.ts'
import { usePreview } from './use-preview.ts'
import { useScale } from './use-scale.ts'

export interface PreviewFrameProps {
  readonly url: string
  readonly origin: string
  readonly token: string
  /** Undefined before the first save. */
  readonly entryId: number | undefined
  /** Of the page, in its own pixels. */
  readonly width: number
}

/** How long a page may take to answer, from the moment at which it has been loaded. */
const answerWithinMs = 3_000

type Answer = 'awaited' | 'given' | 'missing' | 'refused'

/** A page as it is on a screen of a width, made smaller where there is less room. */
export function PreviewFrame({ url, origin, token, entryId, width }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  // The page stays when its token is renewed.
  const [address] = useState(() => withToken(url, token))
  const [answer, setAnswer] = useState<Answer>('awaited')
  const [loads, setLoads] = useState(0)
  useConnection({ frame, origin, token, entryId, hasAnswered: answer === 'given', onAnswer: setAnswer })
  useEffect(() => {
    if (loads === 0) return
    const timer = setTimeout(
      () => setAnswer((present) => (present === 'awaited' ? 'missing' : present)),
      answerWithinMs,
    )
    return () => clearTimeout(timer)
  }, [loads])
  const { box, scale, height } = useScale(width)
  return (
    <>
      <p className={classes.answer} role="status">
        {t(`preview.${answer}`)}
      </p>
      <div ref={box} className={classes.box}>
        <div className={classes.screen} style={{ width: width * scale }}>
          <iframe
            ref={frame}
            className={classes.frame}
            style={{ width, height: height / scale, transform: `scale(${scale})` }}
            title={t('preview.page')}
            src={address}
            sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
            referrerPolicy="no-referrer"
            onLoad={() => setLoads(loads + 1)}
          />
        </div>
      </div>
    </>
  )
}

interface ConnectionParts extends Pick<PreviewFrameProps, 'origin' | 'token' | 'entryId'> {
  readonly frame: { readonly current: HTMLIFrameElement | null }
  readonly hasAnswered: boolean
  /** Always the same function. */
  readonly onAnswer: (answer: Answer) => void
}

/** Tells the page what is typed and saved, and leads to the fields that are clicked in it. */
function useConnection({ frame, origin, token, entryId, hasAnswered, onAnswer }: ConnectionParts) {
  const { store } = useEntrySession()
  const { type, locale, saved } = useEntry()
  const lead = useLead()
  const connection = useRef<FrameConnection>(undefined)
  const now = useRef({ token, lead })
  useEffect(() => {
    now.current = { token, lead }
  })
  useEffect(() => {
    if (frame.current === null) return
    const isNew = entryId === undefined
    const entry = { type: type.name, ...(!isNew && { id: entryId }), ...(locale !== undefined && { locale }) }
    const path = `${apiPrefix}/content/${encodeURIComponent(type.name)}/${entryId}/preview`
    const url = isNew ? '' : location.origin + path
    connection.current = connectFrame({
      ...{ frame: frame.current, origin, store, isNew },
      populated: {
        references: type.attributes.filter(isReference).map(({ name }) => name),
        load: (fields, populate) => admin.previewFields(type.name, fields, populate, { id: entryId }),
      },
      greeting: () => ({ entry, url, token: now.current.token }),
      onHello: () => onAnswer('given'),
      onFailure: () => onAnswer('refused'),
      onClick: (field) => now.current.lead(field),
    })
    return () => connection.current?.close()
  }, [frame, origin, store, type, entryId, locale, onAnswer])
  useEffect(() => connection.current?.send({ kind: 'token', token }), [token])
  const etag = useRef(saved?.etag)
  useEffect(() => {
    if (etag.current === saved?.etag) return
    etag.current = saved?.etag
    if (hasAnswered) connection.current?.send({ kind: 'saved' })
    else if (frame.current !== null) frame.current.src += ''
  }, [saved, hasAnswered, frame])
}

const isReference = ({ type }: DescribedAttribute) => type === 'relation' || type === 'media'

/** Leads to a field; where page and form do not fit beside each other, the form comes back. */
function useLead() {
  const { type, reveal } = useEntry()
  const isAlone = useLacksSideColumn()
  const [, setOpen] = usePreview()
  return (field: string) => {
    if (!type.attributes.some(({ name }) => name === topFieldOf(field))) return
    // What is not drawn cannot have the focus.
    if (isAlone) flushSync(() => setOpen(false))
    reveal(field)
  }
}
