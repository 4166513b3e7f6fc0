import type { ChangedFields, PageMessage, PanelMessage } from './preview-messages.ts'

export type { ChangedFields } from './preview-messages.ts'

/** The entry whose form is open in the panel. */
export interface PreviewedEntry {
  readonly type: string
  /** Undefined before the first save. */
  readonly id?: number
  readonly locale?: string
  /** Empty before the first save. For `GET /content/:type/:id/preview` of this entry; renewed before it expires. */
  readonly token: string
  /**
   * Reads it with its draft; `populate` as in the API: `author,blocks.image`. Before the first save, what is in the form.
   * @throws Error
   */
  read<Entry = Record<string, unknown>>(populate?: string): Promise<Entry>
}

export interface PreviewOptions {
  /** The address of the panel, such as `https://cms.example.com`; messages from other origins are ignored. */
  readonly panel: string
  /** Called when the panel has connected, and again after each reconnection. Errors that it throws are shown in the panel. */
  onStart?(entry: PreviewedEntry): unknown
  /** Somebody has typed. Never called before the promise of `onStart` is fulfilled. */
  onChange?(fields: ChangedFields): void
  /** The entry was saved. Default: loads the page again. */
  onSave?(): void
}

type Unmarked<Message> = Message extends unknown ? Omit<Message, 'mortise'> : never

const mark = 'data-mortise-field'
const hovered = `[${mark}]:hover:not(:has([${mark}]:hover)){outline:2px solid #4f46e5;outline-offset:2px;cursor:pointer}`

/** Replaces the token in the address, so that it is still there after a reload. */
function keepToken({ token, parameter }: Extract<PanelMessage, { token: string }>): boolean {
  const url = new URL(location.href)
  const { searchParams } = url
  const isKept = searchParams.has(parameter)
  searchParams.set(parameter, token)
  if (isKept) history.replaceState(history.state, '', url)
  return isKept
}

/**
 * Connects a page to the panel that shows it beside a form. Elements with `data-mortise-field="blocks.0.title"` lead to
 * their field when they are clicked. Does nothing outside of the panel. Returns what ends it.
 */
export function connectPreview({ panel, onStart, onChange, onSave }: PreviewOptions): () => void {
  const { parent } = globalThis
  if (!parent || parent === window) return () => {}
  const { origin } = new URL(panel)
  let token = ''
  /** Changes that wait for `onStart`; undefined while nothing does. */
  let waiting: ChangedFields | undefined = {}
  let starts = 0
  const send = (message: Unmarked<PageMessage>) =>
    parent.postMessage({ mortise: 'preview', ...message }, origin)

  async function start({ entry, url, fields }: Extract<PanelMessage, { kind: 'start' }>) {
    const own = ++starts
    waiting = fields
    await onStart?.({
      ...entry,
      get token() {
        return token
      },
      async read<Entry>(populate?: string) {
        send({ kind: 'read', populate })
        if (!token) return fields as Entry
        const query = populate ? `?populate=${encodeURIComponent(populate)}` : ''
        const response = await fetch(url + query, { headers: { authorization: `Bearer ${token}` } })
        if (!response.ok) throw new Error(`${response.status} for the preview of ${entry.type} ${entry.id}`)
        return (await response.json()).data as Entry
      },
    })
    if (own !== starts) return
    const changed = waiting as ChangedFields
    waiting = undefined
    if (Object.keys(changed).length) onChange?.(changed)
  }

  function receive({ source, origin: sender, data }: MessageEvent<PanelMessage | null | undefined>) {
    if (source !== parent || sender !== origin || data?.mortise !== 'preview') return
    if ('token' in data) {
      token = data.token
      send({ kind: 'token', isKept: keepToken(data) })
    }
    if (data.kind === 'start') {
      start(data).catch((error: unknown) => {
        send({ kind: 'failed' })
        throw error
      })
    }
    if (data.kind === 'saved') onSave ? onSave() : location.reload()
    if (data.kind !== 'change') return
    if (waiting) waiting = { ...waiting, ...data.fields }
    else onChange?.(data.fields)
  }

  function sendClick(event: MouseEvent) {
    const field = (event.target as Element).closest(`[${mark}]`)?.getAttribute(mark)
    if (!field) return
    event.preventDefault()
    event.stopPropagation()
    send({ kind: 'click', field })
  }

  const sheet = new CSSStyleSheet()
  sheet.replaceSync(hovered)
  const sheets = document.adoptedStyleSheets
  sheets.push(sheet)
  addEventListener('message', receive)
  addEventListener('click', sendClick, true)
  send({ kind: 'hello' })
  return () => {
    sheets.splice(sheets.indexOf(sheet), 1)
    removeEventListener('message', receive)
    removeEventListener('click', sendClick, true)
  }
}

/**
 * An entry with changed fields. Objects of populated relations and files are kept where the new value has their ids;
 * other ids stay ids.
 */
export function withFields<Entry extends object>(entry: Entry, fields: ChangedFields): Entry {
  const known = new Map<string, unknown>()
  const learn = (value: unknown, name: string) => {
    if (Array.isArray(value)) for (const item of value) learn(item, name)
    else if (isObject(value)) {
      if (typeof value.id === 'number') known.set(`${name} ${value.id}`, value)
      for (const inner in value) learn(value[inner], inner)
    }
  }
  const fill = (value: unknown, name: string): unknown => {
    if (typeof value === 'number') return known.get(`${name} ${value}`) ?? value
    if (Array.isArray(value)) return value.map((item) => fill(item, name))
    return isObject(value) ? fillAll(value) : value
  }
  const fillAll = (values: ChangedFields) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value, name)]))
  learn(entry, '')
  return { ...entry, ...fillAll(fields) }
}

const isObject = (value: unknown): value is Record<string, unknown> => Object(value) === value
