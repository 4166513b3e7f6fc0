import type { InternalAnswer } from '../../foundation/http/http.ts'
import type { Outcome } from './tool.ts'

/** The presented text and the outcome. */
type Told = Pick<Outcome, 'text' | 'isError' | 'code'>

/** Presents a response to an agent, within a maximum length. */
export function presentAnswer(answer: InternalAnswer, maxLength: number): Told {
  const { status, headers, body } = answer
  const text = body.toString()
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(headers['content-type'] ?? '')
  if (!isJson) return { text: shortened(text, maxLength), isError: status >= 400 }
  const sent = JSON.parse(text)
  if (status >= 400) return presentRefusal(sent, status, maxLength)
  const { success: _, ...told } = isEnvelope(sent) ? sent : { data: sent }
  const etag = headers.etag
  const whole = { ...told, ...(etag === undefined || Array.isArray(told.data) ? {} : { etag }) }
  return { text: presentData(whole, maxLength), isError: false }
}

interface Envelope {
  readonly success?: boolean
  readonly data: unknown
  readonly pagination?: { readonly offset?: number }
}

function isEnvelope(sent: unknown): sent is Envelope {
  return typeof sent === 'object' && sent !== null && 'success' in sent
}

/** Uses the message and details of REST, so that the agent can correct its request. */
function presentRefusal(sent: unknown, status: number, maxLength: number): Told {
  const error = typeof sent === 'object' && sent !== null && 'error' in sent ? sent.error : sent
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(status)
  return { text: shortened(JSON.stringify({ error }), maxLength), isError: true, code }
}

/** Lists keep as many whole items as fit; anything else is cut. */
export function presentData(told: Envelope, maxLength: number): string {
  const text = JSON.stringify(told)
  if (text.length <= maxLength) return text
  const { data } = told
  if (!Array.isArray(data)) return shortened(text, maxLength)
  const shown = itemsWithin(data, maxLength - room)
  if (shown.length === 0) return shortened(text, maxLength)
  const { data: _, ...rest } = told
  return JSON.stringify({
    ...rest,
    ...hintOf(shown.length, data.length, told.pagination?.offset),
    data: shown,
  })
}

/** Reserved for everything except the items. */
const room = 700

function itemsWithin(items: readonly unknown[], maxLength: number): unknown[] {
  let length = 0
  const end = items.findIndex((item) => {
    length += (JSON.stringify(item)?.length ?? 0) + 1
    return length > maxLength
  })
  return items.slice(0, end === -1 ? items.length : end)
}

function hintOf(shown: number, of: number, offset: number | undefined) {
  const next = offset === undefined ? '' : ` Go on with offset=${offset + shown}, or`
  return {
    truncated: `Only the first ${shown} of the ${of} items of this page are shown, since the answer would be too long.${next} ask for less of each: fields=…, a smaller limit.`,
  }
}

/** Marks a text as cut, since the agent might otherwise take it for complete and send it back. */
function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const kept = text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
  return `${kept}\n[Cut: this is ${kept.length} of ${text.length} characters. Ask for less, such as with fields=…, and never write back what was cut.]`
}
