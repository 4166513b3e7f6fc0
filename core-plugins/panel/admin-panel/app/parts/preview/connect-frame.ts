import type { PageMessage, PanelMessage } from '../../../../../../client/preview-messages.ts'
import type { Entry, EntryStore } from '../../content/entry/store/entry-store.ts'
import { isSameValue } from '../../content/schema/same-value.ts'
import { createPopulatedFields, type PopulatedFieldsParts } from './populated-fields.ts'

export interface FrameParts {
  readonly frame: HTMLIFrameElement
  /** The only origin to exchange messages with. */
  readonly origin: string
  readonly store: EntryStore
  /** The start message for a page that loads or reloads. */
  readonly greeting: () => Omit<Extract<PanelMessage, { kind: 'start' }>, 'mortise' | 'kind' | 'fields'>
  /** Whether the page knows the entry only from messages, because it is not saved. */
  readonly isNew: boolean
  /** How to load populated fields for a page that requests them. */
  readonly populated: Omit<PopulatedFieldsParts, 'values' | 'onLoaded'>
  readonly onHello: () => void
  /** Called when the page has received the token; `isKept`: also in its URL. */
  readonly onToken: (isKept: boolean) => void
  readonly onFailure: () => void
  readonly onClick: (field: string) => void
}

/** The panel's side of the bridge to a page (`client/preview.ts`). */
export interface FrameConnection {
  /** Sends a message; dropped until the page has announced itself. */
  send(message: Unmarked<PanelMessage>): void
  close(): void
}

type Unmarked<Message> = Message extends unknown ? Omit<Message, 'mortise'> : never

/** Sends edits to a page, at most once per animation frame, after the page has announced itself. */
export function connectFrame({
  frame,
  origin,
  store,
  greeting,
  isNew,
  populated,
  onHello,
  onToken,
  onFailure,
  onClick,
}: FrameParts): FrameConnection {
  let sent: Entry | undefined
  let drawing = 0
  const send: FrameConnection['send'] = (message) => {
    if (sent !== undefined) frame.contentWindow?.postMessage({ mortise: 'preview', ...message }, origin)
  }

  const populating = createPopulatedFields({
    ...populated,
    values: store.values,
    onLoaded: (fields) => send({ kind: 'change', fields }),
  })
  const unsaved = () => (isNew ? store.values() : store.changedFields())

  function greet() {
    sent = store.values()
    send({ kind: 'start', ...greeting(), fields: unsaved() })
    onHello()
  }

  function receive({ source, origin: sender, data }: MessageEvent<unknown>) {
    if (source !== frame.contentWindow || sender !== origin) return
    const message = pageMessage(data)
    if (message?.kind === 'hello') greet()
    if (message?.kind === 'read')
      populating.follow(message.populate ?? '', isNew ? {} : store.base(), unsaved())
    if (message?.kind === 'token') onToken(message.isKept)
    if (message?.kind === 'failed') onFailure()
    if (message?.kind === 'click') onClick(message.field)
  }

  function sendChanges() {
    drawing = 0
    if (sent === undefined) return
    const before = sent
    sent = store.values()
    const fields = differing(before, sent)
    if (Object.keys(fields).length === 0) return
    send({ kind: 'change', fields })
    populating.change(before, fields)
  }

  window.addEventListener('message', receive)
  const unsubscribe = store.subscribeToAll(() => {
    drawing ||= requestAnimationFrame(sendChanges)
  })
  return {
    send,
    close() {
      cancelAnimationFrame(drawing)
      unsubscribe()
      window.removeEventListener('message', receive)
    },
  }
}

/** The changed fields; unchanged values are mostly identical objects, so this is cheap. */
const differing = (before: Entry, now: Entry): Entry =>
  Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) => value !== before[name] && !isSameValue(value, before[name]),
    ),
  )

const longestPath = 500
/** The maximum length that the service accepts. */
const longestPopulate = 1000

/** Validates a message, since pages may send anything. */
function pageMessage(data: unknown): PageMessage | undefined {
  const { mortise, kind, field, isKept, populate = '' } = (data ?? {}) as Readonly<Record<string, unknown>>
  if (mortise !== 'preview') return undefined
  if (kind === 'hello' || kind === 'failed') return { mortise, kind }
  if (kind === 'token') return { mortise, kind, isKept: isKept === true }
  if (kind === 'read' && typeof populate === 'string' && populate.length <= longestPopulate)
    return { mortise, kind, populate }
  const isPath = typeof field === 'string' && field.length <= longestPath
  return kind === 'click' && isPath ? { mortise, kind, field } : undefined
}
